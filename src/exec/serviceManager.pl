# Tells the service manager (systemd) what the guardian says: each line of standard input is one
# message, with \n written out. Node has no datagrams of unix sockets. It stays for as long as the
# guardian does, since the manager asks who a sender is after it has read the message, and takes no
# notice of one that is gone by then. Only core Perl, no module.
use strict;
use warnings;

my ($path) = @ARGV;
my ($AF_UNIX, $SOCK_DGRAM, $MSG_DONTWAIT) = (1, 2, 0x40);
# A name that begins with @ is an abstract one: a NUL stands for it.
$path =~ s/^@/\0/;
my $address = pack 'Sa*', $AF_UNIX, $path;
socket my $socket, $AF_UNIX, $SOCK_DGRAM, 0 or die "statecron: socket: $!\n";
$SIG{$_} = 'IGNORE' for qw(INT TERM HUP);

while (defined(my $line = <STDIN>)) {
  chomp $line;
  $line =~ s/\\n/\n/g;
  # A manager that is away, or busy, is told the next time.
  send $socket, $line, $MSG_DONTWAIT, $address;
}
