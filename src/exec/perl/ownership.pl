# What a job is executed as: umask, priority, limits, user. Required by the launcher's child and by
# the caretaker, between the fork and the exec of bash.
#
# An ownership is "umask nice memoryBytes cpuSoftSeconds cpuHardSeconds user", "-" where nothing is
# set. Whatever cannot be had ends the child by `$fail->(stage)`, which never returns: nothing
# runs with more rights, or with wider limits, than it was to have.
use strict;
use warnings;
no warnings 'exec';

# setrlimit, setgroups, setresgid, setresuid. Perl's own `$>` leaves the saved user as it was.
my %calls = (x64 => [160, 116, 119, 117], arm64 => [164, 159, 149, 147]);
my ($RLIMIT_CPU, $RLIMIT_AS, $ENOSYS) = (0, 9, 38);

sub calls { return @{ length pack('p', '') == 8 && $calls{ our $architecture } || [] } }

# Sets a limit of this process and of what it starts; false: it may not.
sub limit {
  my ($which, $soft, $hard) = @_;
  my ($SETRLIMIT) = calls();
  return defined $SETRLIMIT && syscall($SETRLIMIT, $which, pack 'Q2', $soft, $hard) == 0;
}

# The user's numbers and home. Looked up before the job's environment is in force: NSS and `id` run
# as root here, and must not load what LD_PRELOAD of a job names.
sub findOwner {
  my ($ownership, $fail) = @_;
  my $user = (split / /, $ownership)[5] // '-';
  return undef if $user eq '-';
  my ($uid, $gid, $home) = (getpwnam $user)[2, 3, 7];
  $fail->('user-unknown') unless defined $uid;
  my $groups = groupsOf($user);
  $fail->('groups') unless $groups;
  return { user => $user, uid => $uid + 0, gid => $gid + 0, home => $home, groups => $groups };
}

# All groups of a user, the primary one among them, as initgroups(3) would have it. When the program
# ended without telling them there is no errno.
sub groupsOf {
  my ($user) = @_;
  my ($id) = grep { -x } '/usr/bin/id', '/bin/id' or return;
  local %ENV = (PATH => '/usr/bin:/bin', LC_ALL => 'C');
  local $SIG{CHLD} = 'DEFAULT';
  open my $list, '-|', $id, '-G', '--', $user or return;
  my $line = <$list>;
  close $list or return;
  return [map { $_ + 0 } split ' ', $line] if ($line // '') =~ /^[\d ]+$/;
  $! = 0;
  return;
}

# Enters a folder. `~` before it: a home. One that cannot be entered is no failure, as cron starts
# jobs of users without one (nobody, www-data) elsewhere, too: `$note->('home')`, and the root.
sub enter {
  my ($cwd, $fail, $note) = @_;
  my $isHome = $cwd =~ s/^~//;
  return if chdir $cwd;
  $fail->('cwd') unless $isHome;
  $note->('home');
  chdir '/' or $fail->('cwd');
}

# Takes on the ownership and enters the folder, as the user; `~`: the user's home. The limits and
# the priority come before the user, since only root may raise what the node itself was given.
sub takeOwnership {
  my ($ownership, $owner, $cwd, $fail, $note) = @_;
  my ($umask, $nice, $memory, $cpuSoft, $cpuHard) = split / /, $ownership;
  my ($SETRLIMIT, $SETGROUPS, $SETRESGID, $SETRESUID) = calls();
  umask oct $umask if $umask ne '-';
  if ($nice ne '-') { setpriority 0, 0, $nice + 0 or $fail->('nice') }
  $! = $ENOSYS;
  if ($memory ne '-' || $cpuSoft ne '-' || $owner) { defined $SETRLIMIT or $fail->('user') }
  if ($owner) {
    $ENV{HOME} //= $owner->{home};
    $ENV{$_} //= $owner->{user} for qw(USER LOGNAME);
    # So that /dev/stdout and the like can be opened by it. The null device is everybody's.
    chown $owner->{uid}, $owner->{gid}, \*STDOUT or $fail->('user');
    if (-f STDIN) { chown $owner->{uid}, $owner->{gid}, \*STDIN or $fail->('user') }
  }
  if ($cpuSoft ne '-') { limit($RLIMIT_CPU, $cpuSoft, $cpuHard) or $fail->('cpu') }
  if ($memory ne '-') { limit($RLIMIT_AS, $memory, $memory) or $fail->('memory') }
  if ($owner) {
    my ($uid, $gid, @groups) = ($owner->{uid}, $owner->{gid}, @{ $owner->{groups} });
    syscall($SETGROUPS, scalar @groups, pack 'I*', @groups) == 0 or $fail->('user');
    syscall($SETRESGID, $gid, $gid, $gid) == 0 or $fail->('user');
    syscall($SETRESUID, $uid, $uid, $uid) == 0 or $fail->('user');
    $< == $uid && $> == $uid && $( == $gid && $) == $gid or $fail->('user');
    $cwd .= $owner->{home} if $cwd eq '~';
  }
  enter($cwd, $fail, $note);
}

1;
