#include "solver/commands/completion.hpp"

#include <array>
#include <memory>

#include "solver/commands/words.hpp"
#include "solver/messages.hpp"

namespace perdure::commands {
namespace {

// Each script asks the program itself: `perdure __complete WORDS` prints a kind of files, then words and their meanings.

constexpr const char *bash_script = R"sh(# Completion of perdure in bash: source <(perdure completion bash)
_perdure() {
    local -a words=()
    local i word line kind prefix=""
    for ((i = 1; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        # bash takes --json=FILE and solver.rtol=1e-6 apart at the =
        if ((${#words[@]})) && [[ $word == = || ${COMP_WORDS[i - 1]} == = ]]; then
            words[${#words[@]} - 1]+=$word
        else
            words+=("$word")
        fi
    done
    word=${words[${#words[@]} - 1]}
    [[ $COMP_WORDBREAKS == *=* && $word == *=* ]] && prefix=${word%"${word##*=}"}
    COMPREPLY=()
    {
        IFS= read -r kind || return
        while IFS= read -r line; do
            line=${line%%$'\t'*}
            COMPREPLY+=("${line#"$prefix"}")
        done
    } < <("$1" __complete "${words[@]}" 2>/dev/null)
    [[ ${#COMPREPLY[@]} -gt 0 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
    [[ $kind == words ]] && return
    compopt -o filenames 2>/dev/null
    while IFS= read -r line; do
        if [[ -d $line || $kind == files || ($kind == cases && ($line == *.yaml || $line == *.yml)) ]]; then
            COMPREPLY+=("$line")
        fi
    done < <(compgen -f -- "${word#"$prefix"}")
}
complete -F _perdure perdure
)sh";

constexpr const char *zsh_script = R"sh(#compdef perdure
# Completion of perdure in zsh: source <(perdure completion zsh), or this text as _perdure in a folder of $fpath
_perdure() {
    local -a lines candidates open
    local line name
    lines=("${(@f)$("${(Q)words[1]}" __complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
    for line in "${(@)lines[2,-1]}"; do
        name=${line%%$'\t'*}
        [[ -z $name ]] && continue
        [[ $line == *$'\t'* ]] && line="${name//:/\\:}:${line#*$'\t'}" || line=${name//:/\\:}
        [[ $name == *= ]] && open+=("$line") || candidates+=("$line")
    done
    (( ${#candidates} )) && _describe perdure candidates
    (( ${#open} )) && _describe perdure open -S ''
    [[ $lines[1] == words ]] && return
    [[ $words[CURRENT] == -*=* ]] && compset -P '*='
    case $lines[1] in
        cases) _files -g '*.(yaml|yml)' ;;
        files) _files ;;
        folders) _files -/ ;;
    esac
}
if [[ $funcstack[1] == _perdure ]]; then
    _perdure "$@"
else
    compdef _perdure perdure
fi
)sh";

constexpr const char *fish_script = R"sh(# Completion of perdure in fish: perdure completion fish | source
function __perdure_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l program $words[1]
    set -e words[1]
    set -l lines ($program __complete $words "$current" 2>/dev/null)
    set -l kind $lines[1]
    set -e lines[1]
    printf '%s\n' $lines
    set -l value (string replace -r '^-.*?=' '' -- "$current")
    set -l before (string match -r '^-.*?=' -- "$current")
    switch "$kind"
        case cases
            for path in $value*
                if test -d "$path"
                    echo "$before$path/"
                else if string match -qr '\.ya?ml$' -- "$path"
                    echo "$before$path"
                end
            end
        case files
            for path in $value*
                test -d "$path"; and echo "$before$path/"; or echo "$before$path"
            end
        case folders
            for path in $value*/
                echo "$before$path"
            end
    end
end
complete -c perdure -f -a '(__perdure_complete)'
)sh";

constexpr std::array scripts{std::pair{"bash", bash_script}, std::pair{"zsh", zsh_script},
                             std::pair{"fish", fish_script}};

std::vector<std::string> shells() {
    std::vector<std::string> names;
    for (const auto &[name, script] : scripts) {
        names.emplace_back(name);
    }
    return names;
}

}  // namespace

std::string completion_script(const std::string &shell) {
    return scripts[index_of("completion", shell, shells())].second;
}

void add_completion(CLI::App &program, std::function<ExitCode()> &chosen) {
    CLI::App *command =
        program.add_subcommand("completion", "print a script that makes a shell complete command lines");
    const auto shell = std::make_shared<std::string>();
    command->add_option("shell", *shell, "the shell to complete in")
        ->required()
        ->type_name(choices(shells()));
    command->footer(
        "This shell:  source <(perdure completion bash)              in fish: perdure completion fish | "
        "source\nAll shells:   perdure completion bash > ~/.local/share/bash-completion/completions/perdure\n"
        "             perdure completion zsh > _perdure              in a folder of $fpath\n"
        "             perdure completion fish > ~/.config/fish/completions/perdure.fish");
    command->callback([shell, &chosen] {
        chosen = [shell] {
            print_output("{}", completion_script(*shell));
            return ExitCode::success;
        };
    });
}

}  // namespace perdure::commands
