# Completion of statecron for fish: statecron prints what fits (statecron print completion fish).
function __statecron_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l found (statecron complete -- $words[2..-1] 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c statecron -f -a '(__statecron_complete)'
