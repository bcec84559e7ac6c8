interface Named {
  first_name: string;
  last_name: string;
  email: string;
}

/** Full name; somebody without one is called by the email. */
export function fullName({ first_name, last_name, email }: Named): string {
  const name = `${first_name} ${last_name}`.trim();
  return name === '' ? email : name;
}

/** One or two letters that stand for a person without a picture. */
export function getInitials(person: Named): string {
  const words = [person.first_name, person.last_name].map((word) => word.trim()).filter((word) => word !== '');
  const letters = (words.length === 0 ? [person.email] : words).map(firstLetter).join('');
  return letters === '' ? '?' : letters.toUpperCase();
}

// Making one is slow, and a list draws many names while it is scrolled.
const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The first character as a person sees it, marks and joined signs included. */
function firstLetter(word: string): string {
  const [first] = GRAPHEMES.segment(word);
  return first?.segment ?? '';
}
