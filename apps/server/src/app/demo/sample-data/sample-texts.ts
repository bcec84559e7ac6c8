// Words for messages, files, records and directory entries. Names of people come from faker's lists.
import type { Roll } from './seeded-random.ts';

const OPENINGS = [
  'Good morning, ',
  'Quick note: ',
  'For the record: ',
  'Thanks, ',
  'Just checked: ',
  'As agreed, ',
  'Heads up, ',
  'Small question: ',
  'Before I forget: ',
  '',
  '',
  '',
] as const;

const MATTERS = [
  'the draft for the spring catalogue',
  'the delivery from the harbour site',
  'the new label on the blue crates',
  'the room plan for next week',
  'the second offer from the printers',
  'the notes from the last round',
  'the list of spare keys',
  'the timetable of the night shift',
  'the sketch with the wider margin',
  'the invoice for the lifts',
  'the sample from the upper yard',
  'the photos of the north wing',
  'the guest list for the open day',
] as const;

const STATES = [
  'is ready for a second look',
  'came back with two remarks',
  'can wait until Thursday',
  'is where we left it yesterday',
  'needs one more signature',
  'looks better than the first one',
  'has moved to the shared folder',
  'is still missing page four',
  'went out this afternoon',
  'was easier than we thought',
  'will be shorter than planned',
] as const;

const ENDINGS = [
  '.',
  '.',
  '.',
  '. Who takes it from here?',
  '. I will write again tonight.',
  '. No hurry – Grüße aus der Werkstatt.',
  '. Merci à tous!',
  '. 👍',
  ', as far as I can see.',
  '. The details are below, and they are longer than I had hoped, so please read them with a cup of tea at hand.',
] as const;

export const AREAS = [
  'Design',
  'Release',
  'Harbour site',
  'Night shift',
  'Customer',
  'Hiring',
  'Budget',
  'Facilities',
  'Onboarding',
  'Research',
  'Quality',
  'Garden',
  'Workshop',
] as const;
export const FORMS = ['reviews', 'planning', 'news', 'questions', 'handover', 'weekly'] as const;

const of = <Item>(list: readonly Item[], roll: number) => list[roll % list.length] as Item;

/** Uses four rolls, from `purpose` on. */
export function randomSentence(roll: Roll, purpose: number): string {
  const [opening, matter] = [of(OPENINGS, roll(purpose)), of(MATTERS, roll(purpose + 1))];
  const sentence = `${opening}${matter} ${of(STATES, roll(purpose + 2))}${of(ENDINGS, roll(purpose + 3))}`;
  return opening === '' ? sentence.charAt(0).toUpperCase() + sentence.slice(1) : sentence;
}

/** Uses four rolls per line, from `purpose` on. */
export function randomLines(roll: Roll, purpose: number, count: number): string {
  return Array.from({ length: count }, (_, at) => `${randomSentence(roll, purpose + at * 4)}\n`).join('');
}

/** A heading such as "Budget planning". */
export function randomTitle(roll: Roll, purpose: number): string {
  return `${of(AREAS, roll(purpose))} ${of(FORMS, roll(purpose + 1))}`;
}

export const PLACES = [
  'Reception',
  'Front desk',
  'Switchboard',
  'Canteen',
  'Post room',
  'First aid',
  'Night porter',
  'Car park',
  'Workshop',
  'Loading bay',
  'Print room',
  'Archive',
  'Meeting room Birch',
  'Meeting room Heron',
  'Meeting room Quarry',
  'Training room',
  'Server room',
  'Lost property',
] as const;

/** The first place of each name has no location. */
export const WHERES = ['', 'north wing', 'old mill', 'harbour site', 'ground floor', 'annex', 'upper yard'] as const;

/** First and second words of fictitious companies. */
export const MAKERS = [
  'Bluefern',
  'Copperline',
  'Tallbrook',
  'Marrowgate',
  'Silverpike',
  'Oakhollow',
  'Windlatch',
  'Greywick',
  'Fennmoor',
  'Brightquay',
  'Stonelark',
  'Amberholt',
  'Ravendale',
  'Cloudmere',
  'Thistlebay',
  'Larkspire',
] as const;
export const TRADES = [
  'Couriers',
  'Catering',
  'Lifts',
  'Glazing',
  'Office Supply',
  'Plumbing',
  'Travel',
  'Print & Copy',
  'Cleaning',
  'Security',
  'Gardens',
  'Car Hire',
  'Software',
] as const;

export const DESKS = ['office', 'orders', 'service', 'hello', 'help.desk'] as const;
