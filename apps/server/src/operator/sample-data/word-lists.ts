// Words of our own for what is neither a person nor a name from faker's lists.

/** Rooms and desks that answer a telephone. */
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

/** Where they are; the first of each kind needs no such word. */
export const WHERES = ['', 'north wing', 'old mill', 'harbour site', 'ground floor', 'annex', 'upper yard'] as const;

/** First and second words of companies that do not exist. */
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

/** Who opens the mail there. */
export const DESKS = ['office', 'orders', 'service', 'hello', 'help.desk'] as const;
