# How the caretaker writes a result's file, read before it. With its launcher gone nobody else knows
# the result, so it tries until the file is there, ever more seldom: a spool that cannot be written
# (a full disk, a folder that was made read-only) is a matter of time.
use strict;
use warnings;

our $launcher;
my ($O_WRONLY, $O_CREAT, $O_EXCL, $MSG_DONTWAIT) = (1, 64, 128, 64);
my ($AF_UNIX, $SOCK_DGRAM, $DAEMON_WARNING, $EPERM) = (1, 2, 28, 1);
my ($PAUSE_SECONDS, $PAUSE_SECONDS_MAX, $HANDOVER_MS) = (0.25, 8, 500);

# Returns when the file is there, or when the result is somebody else's to keep: a launcher that
# lives passes it on to the node, which spools it as well. That launcher may be about to end with
# its node, so $HANDOVER_MS are waited even then. `$bytesOf` is called for each try, with notes
# on those before it.
sub spoolFile {
  my ($folder, $name, $bytesOf) = @_;
  my ($beganMs, $pauseSeconds, $failure, @notes) = (bootMs(), $PAUSE_SECONDS, '');
  until (writeFile($folder, $name, $bytesOf->(@notes))) {
    my $isFirst = $failure eq '';
    $failure = "$!";
    warnSystemLog("$folder/$name cannot be written: $failure") if $isFirst;
    return if bootMs() - $beganMs >= $HANDOVER_MS && getppid == $launcher;
    select undef, undef, undef, $pauseSeconds;
    $pauseSeconds *= 2 if $pauseSeconds < $PAUSE_SECONDS_MAX;
    my $lateMs = int(bootMs() - $beganMs);
    @notes = "It could not be spooled for $lateMs ms: $failure.";
  }
}

# There is no node any more in whose log this could stand.
sub warnSystemLog {
  socket my $log, $AF_UNIX, $SOCK_DGRAM, 0 or return;
  my $text = "<$DAEMON_WARNING>statecron[$$]: $_[0]; it is tried again.";
  send $log, $text, $MSG_DONTWAIT, pack 'Sa108', $AF_UNIX, '/dev/log';
}

# A file is whole or not there; false, with the error in $!.
sub writeFile {
  my ($folder, $name, $bytes) = @_;
  my $path = '';
  for (split /\//, $folder) { $path .= "$_/"; mkdir $path, 0700 }
  my (undef, undef, $mode, undef, $uid) = lstat $folder or return 0;
  if (!-d _ || $uid != $> || $mode & 022) { $! = $EPERM; return 0 }
  my $temporary = "$folder/$name.$$.tmp";
  if (!writeDurably($temporary, $bytes) || !rename $temporary, "$folder/$name") {
    my $error = $! + 0;
    unlink $temporary;
    $! = $error;
    return 0;
  }
  if (open my $handle, '<', $folder) { $handle->sync }
  return 1;
}

sub writeDurably {
  my ($path, $bytes) = @_;
  unlink $path;
  sysopen my $file, $path, $O_WRONLY | $O_CREAT | $O_EXCL, 0600 or return 0;
  my $done = 0;
  while ($done < length $bytes) {
    my $wrote = syswrite $file, $bytes, length($bytes) - $done, $done;
    if (defined $wrote) { $done += $wrote } elsif (!$!{EINTR}) { return 0 }
  }
  return $file->sync && close $file;
}

1;
