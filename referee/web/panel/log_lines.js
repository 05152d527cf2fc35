// The lines of the log: a message has only those that are new, or that were taken back.

const MOST = 200;

/** Return the lines as they are once a message about them has come. */
export function joined(lines, { since = 0, entries }) {
  return [...lines.filter(({ seq }) => seq < since), ...entries].slice(-MOST);
}
