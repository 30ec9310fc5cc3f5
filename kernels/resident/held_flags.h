/* Flags of held groups: what a group has stored to memory is of the step that its flag says.
 *
 *   publishes     what all items of a group have stored
 *   observed by   all items of the groups around it
 *   edge          release by the store of the flag, acquire by the poll that sees it; a group barrier before and one after
 *
 * Stored is into two places in turn, for odd and for even exchanges: a group stores into a place again when all flags
 * around it have risen once more, and whoever raised them had loaded what was there. */

enum { FLAG_WORDS = 32 }; /* a line of memory each */

/* Every item: 1 to all when all around have stored what is of `epoch`, 0 when the wait was abandoned. around[0 .. count - 1]: their
 * groups, -1 where there is none. Who raises the flag is in another warp than those who wait. */
FUNCTION uint32 raise_and_await_flags(uint32 *flags, const int32 *around, uint32 count, uint32 epoch,
                                      const run_t *run) {
    const uint32 item = item_index();
    uint32 passed = 1u;
    group_barrier();
    if (item + 1u == group_size()) {
        DELAY_HERE();
        store_uint32(flags + group_index() * FLAG_WORDS, epoch, ORDER_RELEASE, SCOPE_DEVICE);
    }
    if (item < count && around[item] >= 0) {
        DELAY_HERE();
        uint32 seen;
        passed = await_word(flags + around[item] * FLAG_WORDS, UNTIL_REACHED, epoch, &seen, run->sync, epoch,
                            run->parameters->wait_limit);
    }
    return group_verdict(run->verdict, passed);
}
