// Characters that Windows-1252 lacks. Spreadsheets write a question mark for each UTF-16 code unit.
// biome-ignore lint/suspicious/noControlCharactersInRegex: Windows-1252 has control characters
const UNWRITABLE = /[^\u0001-\u00FF€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/g;

/** True if a name is the stored one with ? in place of the letters that the encoding of a file lacks. */
export function isMaskedName(name: string, stored: string): boolean {
  return name.includes('?') && name !== stored && stored.replace(UNWRITABLE, '?') === name;
}
