type Spell = (roll: number) => string;

const digits = (number: number, width: number) => String(number).padStart(width, '0');

/** Of each American area, 555-0100 to 555-0199 are kept for fiction. */
const american = (spell: (area: string, line: string) => string): Spell => {
  return (roll) => spell(String(201 + (roll % 789)), digits(100 + ((roll >>> 12) % 100), 4));
};

/** Area and first digits of what the regulators of Germany and Britain keep for films and books. */
const GERMAN = ['30 23125', '69 90009', '40 66969', '221 4710', '89 99998'] as const;
const german = (prefix: string): Spell => {
  return (roll) => `${prefix}${GERMAN[roll % GERMAN.length]}${digits((roll >>> 12) % 1000, 3)}`;
};
const british = (prefix: string): Spell => {
  return (roll) => `${prefix}20 7946 ${digits(roll % 1000, 4)}`;
};

/** As people write numbers; ten digits alone are the commonest, since the portal spells those itself (spec §4). */
const SPELLINGS: readonly Spell[] = [
  american((area, line) => `${area}555${line}`),
  american((area, line) => `${area}555${line}`),
  american((area, line) => `${area}555${line}`),
  american((area, line) => `(${area}) 555-${line}`),
  american((area, line) => `(${area}) 555-${line}, ext. ${line.slice(2)}`),
  american((area, line) => `+1 ${area} 555 ${line}`),
  american((area, line) => `${area}-555-${line}`),
  german('+49 '),
  german('0'),
  british('+44 '),
  british('0'),
];

/** A telephone number that is nobody's, in one of several spellings. */
export function randomPhoneNumber(roll: number): string {
  // What chooses the spelling must not choose the number too.
  return SPELLINGS[Math.floor(roll / 2 ** 28) % SPELLINGS.length]?.(roll % 2 ** 28) ?? '';
}
