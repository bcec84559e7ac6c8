interface Named {
  first_name: string;
  last_name: string;
  email: string;
}

/** Returns the email of a user without a name. */
export function fullName({ first_name, last_name, email }: Named): string {
  const name = `${first_name} ${last_name}`.trim();
  return name === '' ? email : name;
}

/** Shown for a user without a picture. */
export function getInitials(person: Named): string {
  const words = [person.first_name, person.last_name].map((word) => word.trim()).filter((word) => word !== '');
  const letters = (words.length === 0 ? [person.email] : words).map(firstLetter).join('');
  return letters === '' ? '?' : letters.toUpperCase();
}

// Creating one is slow, and scrolling a list renders many names.
const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The first visible character, including marks and joiners. */
function firstLetter(word: string): string {
  const [first] = GRAPHEMES.segment(word);
  return first?.segment ?? '';
}

/** Hue in degrees. The server draws the initials in the same one. */
export function getHue(id: string): number {
  return [...id].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 360, 7);
}
