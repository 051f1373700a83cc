# One process of a launch that is as hard to end as they come: deaf to SIGTERM, with daemons in
# sessions of their own, orphaned twice, one without environment.
# Arguments: ledger, kind of process, launch id. Lines of the ledger:
#   process KIND PID START_TICKS LAUNCH
#   overlap SECONDS LAUNCH KIND PID LAUNCH: the second launch's process lived when the first began
ledger=$1 kind=$2 launch=$3
trap '' TERM

# Sets `ticks` to when a process was started, which together with its number is that process for
# ever; to nothing when it is dead.
look() {
  local stat
  ticks=
  { read -r stat < "/proc/$1/stat"; } 2> /dev/null || return
  set -- ${stat##*) }
  [[ $1 == [ZX] ]] || ticks=${20}
}

note() { look $$; echo "process $kind $$ $ticks $launch" >> "$ledger"; }

if [[ $kind != bash ]]; then
  note
  exec sleep 600
fi
while read -r word other pid began theirs; do
  [[ $word == process && $theirs != "$launch" ]] || continue
  look "$pid"
  [[ $ticks == "$began" ]] && overlaps+="overlap $EPOCHREALTIME $launch $other $pid $theirs"$'\n'
done < "$ledger"
printf %s "$overlaps" >> "$ledger"
note
setsid bash "$0" "$ledger" marked "$launch" &
(setsid bash "$0" "$ledger" orphan "$launch" &)
( (env -i PATH="$PATH" setsid bash "$0" "$ledger" bare "$launch" &) & )
while :; do sleep 0.2; done
