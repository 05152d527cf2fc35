/** As on the glass: what is left is rounded up, so that 0:00 is shown when the flag falls. */
export function clockText(ms, up) {
  const seconds = Math.abs(up ? Math.floor(ms / 1000) : ms > 0 ? Math.ceil(ms / 1000) : Math.trunc(ms / 1000));
  const two = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const text = hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
  return ms < 0 ? `-${text}` : text;
}
