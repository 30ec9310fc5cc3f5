"""Tests tools/import_image: import_image_test.py PROGRAM. Exits with 77 without h5py or Pillow."""
import os
import struct
import subprocess
import sys
import unittest
import zlib

try:
    import h5py
    import numpy
    from import_image_samples import PROGRAM, STACK, Imports
    from import_image_voxels import Voxels  # noqa: F401 (tests of their own)
    from PIL import Image
except ImportError as missing:
    print(f"SKIPPED: {missing}")
    sys.exit(77)


class ImportImage(Imports):
    def test_numbers_are_those_of_the_file(self):
        for labels, options in ((STACK[0] * 100, {"photometric": 0}), (STACK[0].astype(numpy.uint32) + 3000000000, {}),
                                (STACK[0].astype(numpy.int8) - 2, {"sample_format": 2})):
            page = self.page_as_stored(labels, **options)
            printed = self.run_program(page)
            if labels.dtype == numpy.int8 and "cannot identify" in printed.stderr:
                continue  # older releases of Pillow do not read it
            self.assertEqual(printed.returncode, 0, printed.stderr)
            numpy.testing.assert_array_equal(self.image(), labels)

    def test_what_is_no_number_or_not_all_is_refused(self):
        broken = STACK[0].astype(numpy.float32)
        broken[2, 3] = numpy.nan
        page = self.page_as_stored(broken, sample_format=3)
        self.expect_refused(self.run_program(page, "--threshold", "1"), "the pixel at y 2, x 3 is NaN")
        self.expect_refused(self.run_program(self.page_as_stored(STACK[0]), "--threshold", "nan"), "no grey value")
        stack = self.page_as_stored(STACK[0], description=b"ImageJ=1.53\nimages=12\nslices=12\n")
        self.expect_refused(self.run_program(stack), "says that it has 12 images, but lists 1")

    def test_hidden_files_are_no_slices(self):
        folder = self.slices(STACK)
        with open(os.path.join(folder, "._slice_0.tif"), "w", encoding="utf-8") as file:
            file.write("what macOS leaves beside a file")
        self.run_program(folder)
        self.assertTrue((self.image() == STACK).all())

    def test_file_that_is_there(self):
        path = self.pages(STACK)
        with open(self.output, "w", encoding="utf-8") as file:
            file.write("of somebody")
        result = subprocess.run([sys.executable, PROGRAM, path, "--output", self.output], capture_output=True, text=True)
        self.assertEqual(result.returncode, 1)
        self.assertIn("is there already; name another file, or --force to replace it", result.stderr)
        with open(self.output, encoding="utf-8") as file:
            self.assertEqual(file.read(), "of somebody")

    def test_a_file_that_would_be_taken_for_an_image(self):
        path = self.pages(STACK)
        for name in ("a.png", "a.TIFF", "a.nrrd"):
            output = os.path.join(os.path.dirname(self.output), name)
            result = subprocess.run([sys.executable, PROGRAM, path, "--output", output], capture_output=True, text=True)
            self.assertEqual(result.returncode, 1)
            self.assertIn(f"but the ending {name[1:]} is that of other files; name it FILE.h5", result.stderr)
            self.assertFalse(os.path.exists(output))

    def test_pages_of_one_file(self):
        printed = self.run_program(self.pages(STACK))
        self.assertEqual(printed.returncode, 0, printed.stderr)
        self.assertEqual(self.image().dtype, numpy.uint8)
        self.assertTrue((self.image() == STACK).all())
        self.assertIn("shape [12, 5, 7] (z, y, x), type uint8", printed.stdout)
        self.assertRegex(printed.stdout, r"Such a case: perdure new --image \S+ pores.yaml\n$")
        self.assertIn(f"label 0: {(STACK == 0).sum()} voxels", printed.stdout)

    def test_compressed_pages_and_a_dataset_of_that_name(self):
        self.run_program(self.pages(STACK, compression="tiff_lzw"), "--dataset", "/scan/labels")
        self.assertTrue((self.image("scan/labels") == STACK).all())

    def test_slices_in_the_order_of_their_numbers(self):
        printed = self.run_program(self.slices(STACK))  # slice_10 sorts before slice_2 as text
        self.assertIn("12 files", printed.stdout)
        self.assertTrue((self.image() == STACK).all())

    def test_labels_of_sixteen_bits(self):
        wide = STACK.astype(numpy.uint16) * 1000
        self.run_program(self.pages(wide))
        self.assertEqual(self.image().dtype, numpy.int16)
        self.assertTrue((self.image() == wide).all())

    def test_black_and_white(self):
        self.run_program(self.pages(STACK > 0))
        self.assertTrue((self.image() == (STACK > 0)).all())

    def test_one_slice_is_two_dimensional(self):
        self.assertIn("shape [5, 7] (y, x)", self.run_program(self.pages(STACK[:1])).stdout)
        self.assertEqual(self.image().shape, (5, 7))

    def test_threshold_and_crop(self):
        grey = (numpy.arange(12 * 5 * 7).reshape(12, 5, 7) % 251).astype(numpy.uint8)
        self.run_program(self.pages(grey), "--threshold", "100", "--crop", "2:9", ":", "3:")
        self.assertTrue((self.image() == (grey[2:9, :, 3:] >= 100)).all())

    def test_many_labels_look_like_grey_values(self):
        grey = (numpy.arange(2 * 100).reshape(2, 10, 10) % 100).astype(numpy.uint8)
        path = self.pages(grey)
        printed = self.run_program(path)
        self.assertEqual(printed.returncode, 0, printed.stderr)
        self.assertIn("warning: 100 labels: is this a grey-value image? --threshold", printed.stderr)
        self.assertEqual(printed.stdout.count("  label "), 20)
        self.assertIn("... and 80 more", printed.stdout)
        self.assertEqual(self.run_program(path, "--threshold", "50").stderr, "")

    def test_numbers_that_are_missing(self):
        folder = self.slices(STACK, "slice_{:02}.tif")
        self.assertEqual(self.run_program(folder).stderr, "")
        for number in (3, 7):
            os.remove(os.path.join(folder, f"slice_{number:02}.tif"))
        self.assertIn("warning: slices 0 to 11, but no number 3, 7;", self.run_program(folder).stderr)
        for number in range(1, 12, 2):
            if number not in (3, 7):
                os.remove(os.path.join(folder, f"slice_{number:02}.tif"))
        self.assertEqual(self.run_program(folder).stderr, "", "every other one")

    def test_equal_images_are_equal_files(self):
        files = []
        path = self.pages(STACK)
        for _ in range(2):
            self.run_program(path)
            with open(self.output, "rb") as file:
                files.append(file.read())
        self.assertEqual(files[0], files[1])

    def test_refused(self):
        self.expect_refused(self.run_program(self.at("missing.tif")), "there is no", "missing.tif")
        os.mkdir(self.at("empty"))
        self.expect_refused(self.run_program(self.at("empty")), "holds no files that end in .tif")
        with open(self.at("text.tif"), "w", encoding="utf-8") as file:
            file.write("not an image")
        self.expect_refused(self.run_program(self.at("text.tif")), "cannot read", "text.tif")
        Image.fromarray(STACK[0]).save(self.at("slice.jpg"))
        self.expect_refused(self.run_program(self.at("slice.jpg")), "is JPEG, not TIFF or PNG")
        path = self.pages(STACK)
        output, self.output = self.output, self.at(os.path.join("nowhere", "image.h5"))
        self.expect_refused(self.run_program(path), "there is no folder", "nowhere")
        self.output = output
        self.expect_refused(self.run_program(path, "--crop", "0:13", ":", ":"), "'0:13' along z is no range", "0:12")
        self.expect_refused(self.run_program(path, "--crop", ":", "4:4", ":"), "'4:4' along y")

    def test_a_damaged_stack_is_refused(self):
        path = self.pages(STACK)
        with open(path, "rb") as file:
            content = file.read()
        with open(path, "wb") as file:
            file.write(content[:len(content) // 2])
        self.expect_refused(self.run_program(path), "cannot read")

    def test_more_pixels_than_the_file_can_hold(self):
        path = self.page_as_stored(STACK[0])
        with open(path, "rb") as file:
            content = file.read()
        height = struct.pack("<HHII", 257, 4, 1, 5)
        self.assertEqual(content.count(height), 1)
        for damaged in (30, 234881024):  # 30 x 7 pixels are more than the 169 bytes of the file
            with open(path, "wb") as file:
                file.write(content.replace(height, struct.pack("<HHII", 257, 4, 1, damaged)))
            self.expect_refused(self.run_program(path), f"claims {damaged} x 7 pixels, {7 * damaged} bytes, which a file of 169 bytes")
        blank = numpy.zeros((1, 1000, 1000), dtype=numpy.uint8)
        for compression in ("tiff_lzw", "tiff_adobe_deflate", "packbits", "group4"):
            printed = self.run_program(self.pages(blank > 0 if compression == "group4" else blank, compression=compression))
            self.assertIn("label 0: 1000000 voxels", printed.stdout, printed.stderr)

    def test_what_is_no_label_image_is_refused(self):
        Image.fromarray(numpy.zeros((4, 4, 3), dtype=numpy.uint8)).save(self.at("colour.tif"))
        self.expect_refused(self.run_program(self.at("colour.tif")), "3 channels", "RGB")
        Image.fromarray(numpy.zeros((4, 4), dtype=numpy.float32)).save(self.at("real.tif"))
        self.expect_refused(self.run_program(self.at("real.tif")), "float32", "--threshold")
        Image.fromarray(numpy.zeros((4, 4), dtype=numpy.uint8)).convert("P").save(self.at("palette.tif"))
        self.expect_refused(self.run_program(self.at("palette.tif")), "palette")
        grey = numpy.arange(400, dtype=numpy.uint16).reshape(20, 20)
        self.expect_refused(self.run_program(self.pages(grey[None], "grey.tif")), "400 different values", "grey-value")

    def test_slices_of_png(self):
        self.assertIn("12 files", self.run_program(self.slices(STACK, "slice_{}.png")).stdout)
        numpy.testing.assert_array_equal(self.image(), STACK)
        for pixels in (STACK[0] > 0, STACK[0].astype(numpy.int32) * 30000):
            Image.fromarray(pixels).save(self.at("one.png"))
            self.run_program(self.at("one.png"))
            numpy.testing.assert_array_equal(self.image(), pixels)

    def test_labels_of_two_and_four_bits_are_those_of_the_png(self):
        def chunk(name, data):
            return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for bits, row in ((2, bytes([0b00011011])), (4, bytes([0x01, 0x2f]))):
            with open(self.at("few.png"), "wb") as file:
                file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 4, 1, bits, 0, 0, 0, 0))
                           + chunk(b"IDAT", zlib.compress(b"\0" + row)) + chunk(b"IEND", b""))
            self.run_program(self.at("few.png"))
            self.assertEqual(self.image().tolist(), [[0, 1, 2, 3]] if bits == 2 else [[0, 1, 2, 15]])

    def test_raw_values(self):
        for kind, options in (("uint8", []), ("int16", ["--big-endian"]), ("uint32", ["--skip", "7"])):
            stored = STACK.astype(numpy.dtype(kind).newbyteorder(">" if "--big-endian" in options else "<"))
            with open(self.at("scan.raw"), "wb") as file:
                file.write(b"7 bytes"[:7 if "--skip" in options else 0] + stored.tobytes())
            printed = self.run_program(self.at("scan.raw"), "--shape", "12", "5", "7", "--type", kind, "--voxel", "2.5e-6", *options)
            self.assertEqual(printed.returncode, 0, printed.stderr)
            numpy.testing.assert_array_equal(self.image(), STACK)
        self.assertIn("voxel size: 2.5e-06\n", printed.stdout)
        self.assertIn("grid: {shape: [12, 5, 7], spacing: 2.5e-06}", printed.stdout)
        with h5py.File(self.output) as file:
            self.assertEqual(list(file["image"].attrs["voxel_size"]), [2.5e-6] * 3)
        os.remove(self.output)
        raw = self.at("scan.raw")
        self.expect_refused(self.run_program(raw, "--shape", "12", "5", "7", "--type", "uint8"), "has 1687 bytes; 12 x 5 x 7 values of "
                            "uint8 after --skip 0 are 420")
        self.expect_refused(self.run_program(raw, "--shape", "12", "5", "7"), "with --shape and --type")
        for options, words in ((["--shape", "-4", "-5", "6"], "--shape -4 -5 6: expected three sizes of at least 1"),
                               (["--shape", "0", "5", "7"], "--shape 0 5 7: expected"), (["--shape", "12", "5", "7", "--skip", "-3"],
                               "--skip -3: expected the bytes of a header, 0 or more")):
            self.expect_refused(self.run_program(raw, "--type", "uint8", *options), words)
        self.expect_refused(self.run_program(raw), "Raw values need --shape and --type")
        self.expect_refused(self.run_program(raw, "--big-endian"), "are for raw values")
        self.expect_refused(self.run_program(self.pages(STACK), "--voxel", "1", "0", "1"), "--voxel: expected one size above 0, or one")

    def test_slices_that_differ_are_refused(self):
        folder = self.slices(STACK)
        Image.fromarray(STACK[0, :4]).save(os.path.join(folder, "slice_7.tif"))
        self.expect_refused(self.run_program(folder), "slice_7.tif", "4 x 7 pixels of uint8", "5 x 7")
        os.remove(os.path.join(folder, "slice_7.tif"))
        self.pages(STACK[:2], os.path.join("slices", "slice_7.tif"))
        self.expect_refused(self.run_program(folder), "has 2 pages", "one page each")


if __name__ == "__main__":
    unittest.main()
