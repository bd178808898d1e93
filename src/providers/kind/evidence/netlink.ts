/**
 * How many messages the kernel dropped for the netlink sockets of a process, for want of room.
 *
 * @param table /proc/net/netlink: a line a socket, under a head that names the columns
 * @param links what the process's file descriptors are, a line each, as `socket:[4711]`
 */
export function netlinkDrops(table: string, links: string): number {
  const [head = '', ...lines] = table.split('\n');
  const columns = head.trim().split(/\s+/);
  const [drops, inode] = [columns.indexOf('Drops'), columns.indexOf('Inode')];
  const own = new Set([...links.matchAll(/^socket:\[(\d+)\]$/gm)].map((match) => match[1]));
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => own.has(fields[inode]))
    .reduce((sum, fields) => sum + Number(fields[drops] ?? 0), 0);
}
