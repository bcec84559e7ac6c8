import { detectAll } from 'jschardet';
import { ENCODINGS, type EncodingName } from '../csv-encodings.ts';
import { createDecoder } from './decoder.ts';

/** The library's names of the encodings that are guessed. Others are too rare: they would win by chance. */
const GUESSED: Record<string, EncodingName> = {
  'windows-1250': 'Windows-1250',
  'windows-1251': 'Windows-1251',
  'windows-1252': 'Windows-1252',
  'windows-1253': 'Windows-1253',
  'windows-1254': 'Windows-1254',
  'windows-1255': 'Windows-1255',
  'windows-1256': 'Windows-1256',
  'windows-1257': 'Windows-1257',
  cp1258: 'Windows-1258',
  cp874: 'Windows-874',
  'iso-8859-2': 'ISO-8859-2',
  'koi8-r': 'KOI8-R',
  ibm866: 'CP866',
  cp850: 'CP850',
  cp852: 'CP852',
  macroman: 'Mac Roman',
  maccyrillic: 'Mac Cyrillic',
  cp932: 'Shift_JIS',
  'euc-jp': 'EUC-JP',
  gb18030: 'GB18030',
  big5: 'Big5',
  cp949: 'EUC-KR',
};

/** The encoding that spreadsheets on Windows write where the system has this language. Others have Windows-1252. */
const OF_LANGUAGES: readonly (readonly [languages: RegExp, EncodingName])[] = [
  [/^(bs|cs|hr|hu|pl|ro|sk|sl|sq)\b/i, 'Windows-1250'],
  [/^(be|bg|kk|ky|mk|mn|ru|sr|tg|tt|uk)\b/i, 'Windows-1251'],
  [/^el\b/i, 'Windows-1253'],
  [/^(az|tr|uz)\b/i, 'Windows-1254'],
  [/^(he|iw)\b/i, 'Windows-1255'],
  [/^(ar|fa|ur)\b/i, 'Windows-1256'],
  [/^(et|lt|lv)\b/i, 'Windows-1257'],
  [/^vi\b/i, 'Windows-1258'],
  [/^th\b/i, 'Windows-874'],
  [/^ja\b/i, 'Shift_JIS'],
  [/^zh-(Hant|TW|HK|MO)\b/i, 'Big5'],
  [/^zh\b/i, 'GB18030'],
  [/^ko\b/i, 'EUC-KR'],
];

/** Decides between encodings in which the text is nearly as plausible. */
const BONUS_OF_LANGUAGE = 1.35;
/** A guess is weak if another encoding is nearly as plausible, or half as plausible in a short text in an unexpected encoding. */
const NEAR = 0.9;
const NEAR_IN_SHORT_TEXT = 0.5;
/** Fewer bytes beyond ASCII than this are a short text. */
const SHORT = 12;
/** No list has these control characters and marks. Some encodings have them where others have letters. */
const CONTROLS = /[^\P{Cc}\t\r\n]|[\u200E\u200F]/u;

/** An encoding in which the sample is text. */
interface Candidate {
  name: EncodingName;
  text: string;
  confidence: number;
}

export interface Guess {
  /** From the most to the least plausible one. */
  names: EncodingName[];
  isWeak: boolean;
}

/** Guesses from the cells of a file that have bytes beyond ASCII. `language` is the browser's. */
export function guessEncoding(sample: Uint8Array, language: string): Guess {
  const expected = OF_LANGUAGES.find(([languages]) => languages.test(language))?.[1] ?? 'Windows-1252';
  const toScore = ({ name, confidence }: Candidate) =>
    name === expected ? confidence * BONUS_OF_LANGUAGE : confidence;
  const candidates = listCandidates(sample);
  // Encodings in which the text is the same are equally plausible.
  const texts = [...new Set(candidates.map(({ text }) => text))].map((text) => {
    const same = candidates.filter((candidate) => candidate.text === text);
    return {
      names: same.map(({ name }) => name).sort((one, other) => Number(other === expected) - Number(one === expected)),
      confidence: Math.max(...same.map(({ confidence }) => confidence)),
      score: Math.max(...same.map(toScore)),
    };
  });
  const [best, ...others] = texts.sort((one, other) => other.score - one.score);
  if (best === undefined) return { names: [], isWeak: true };
  const isShort = sample.filter((byte) => byte > 127).length < SHORT;
  const near = isShort && best.names[0] !== expected ? NEAR_IN_SHORT_TEXT : NEAR;
  const isWeak = Math.max(0, ...others.map(({ confidence }) => confidence)) >= near * best.confidence;
  return { names: [best, ...others].flatMap(({ names }) => names), isWeak };
}

/** In the order of the list of encodings. */
function listCandidates(sample: Uint8Array): Candidate[] {
  const found = new Map<EncodingName, number>();
  const options = { minimumThreshold: 0, detectEncodings: Object.keys(GUESSED) };
  for (const { encoding, confidence } of detectAll(sample, options)) {
    const name = GUESSED[encoding?.toLowerCase() ?? ''];
    if (name !== undefined) found.set(name, Math.max(confidence, found.get(name) ?? 0));
  }
  return ENCODINGS.flatMap(({ name }): Candidate[] => {
    const confidence = found.get(name);
    const text = confidence === undefined ? undefined : decodeSample(name, sample);
    return confidence === undefined || text === undefined || CONTROLS.test(text) ? [] : [{ name, text, confidence }];
  });
}

/** Undefined if the sample isn't text in this encoding. */
function decodeSample(name: EncodingName, sample: Uint8Array): string | undefined {
  try {
    const decode = createDecoder(name);
    return decode(sample) + decode();
  } catch {
    return undefined;
  }
}
