/**
 * A code as it is compared: decimal digits of any script as ASCII, letters in lower case, without blanks, hyphens and
 * invisible marks, which come along when a code is copied. `''` if nothing is left.
 */
export function normalizeCode(typed: string): string {
  return typed
    .normalize('NFKC')
    .replace(/[\s\p{Pd}\u2212\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/\p{Nd}/gu, toAsciiDigit)
    .toLowerCase();
}

/** Unicode has the ten digits of each script in a row, from zero. */
function toAsciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (isDigit(zero - 1)) zero -= 1;
  return String((code - zero) % 10);
}

const isDigit = (code: number): boolean => /\p{Nd}/u.test(String.fromCodePoint(code));
