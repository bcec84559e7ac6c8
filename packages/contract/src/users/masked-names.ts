// What Windows-1252 can't write; a spreadsheet makes question marks of it, two for what UTF-16 writes in two parts.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters can be written too
const UNWRITABLE = /[^\u0001-\u00FF€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/g;

/** Whether a name is the stored one with ? in place of letters that the encoding of a file lacks (decision 0016). */
export function isMaskedName(name: string, stored: string): boolean {
  return name.includes('?') && name !== stored && stored.replace(UNWRITABLE, '?') === name;
}
