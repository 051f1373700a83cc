# Sends entries to journald's native socket: Node has no datagrams of unix sockets. Only core Perl,
# no module. Argument: the path of the socket.
#
# Standard input has frames: 4 bytes length (network order) of what follows, 4 bytes number of the
# run, then the entry as journald takes it. An entry of no bytes is the end of the run. For it, and
# for the first entry of a run that was not taken, a line is printed: "number errno", 0 at the end.
# "0 0" is a sign that it gets on with much that waits. It ends with its standard input, hence with
# the node.
use strict;
use warnings;

my ($AF_UNIX, $SOCK_DGRAM, $READ_BYTES) = (1, 2, 65536);
my ($path) = @ARGV;
my $address = pack 'Sa*', $AF_UNIX, $path;
my ($in, %isLost) = ('');
$SIG{$_} = 'IGNORE' for qw(INT TERM HUP PIPE);
socket my $socket, $AF_UNIX, $SOCK_DGRAM, 0 or die "statecron: journal: socket: $!\n";

while (sysread STDIN, $in, $READ_BYTES, length $in) {
  my $at = 0;
  while (length($in) - $at >= 8) {
    my ($length, $number) = unpack 'NN', substr $in, $at, 8;
    last if length($in) - $at < 4 + $length;
    take($number, substr $in, $at + 8, $length - 4);
    $at += 4 + $length;
  }
  substr $in, 0, $at, '';
  answer(0, 0) if $at > $READ_BYTES / 2;
}

sub take {
  my ($number, $entry) = @_;
  if ($entry eq '') { delete $isLost{$number}; return answer($number, 0) }
  # It waits while journald has as much as it takes.
  return if $isLost{$number} || defined send $socket, $entry, 0, $address;
  $isLost{$number} = 1;
  answer($number, $! + 0);
}

sub answer { syswrite STDOUT, "$_[0] $_[1]\n" }
