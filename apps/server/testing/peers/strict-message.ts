import { isUtf8 } from 'node:buffer';
import { isIPv4, isIPv6 } from 'node:net';

const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const DOMAIN = new RegExp(`^${LABEL}(?:\\.${LABEL})+$`);
const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const DOT_ATOM = `${ATOM}(?:\\.${ATOM})*`;
const ADDRESS = `${DOT_ATOM}@(?:${DOT_ATOM}|\\[[!-Z^-~]*\\])`;
const QUOTED = '"(?:[ !#-[\\]-~]|\\\\[ -~])*"';
const ENCODED_WORD = '=\\?[A-Za-z0-9-]+\\?[BbQq]\\?[!->@-~]*\\?=';
const PHRASE = `(?:${ATOM}|${QUOTED})(?: (?:${ATOM}|${QUOTED}))*`;
const MAILBOX = new RegExp(`^(?:${ADDRESS}|(?:${PHRASE} )?<${ADDRESS}>)$`);
const MESSAGE_ID = new RegExp(`^<${DOT_ATOM}@(?:${DOT_ATOM}|\\[[!-Z^-~]*\\])>$`);
const DATE =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d{1,2}) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) (\d{4}) (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d [+-]\d{4}$/;
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** True for a domain with a dot, or the literal of an address (RFC 5321, 4.1.3). */
export function isEhloName(name: string): boolean {
  const [, literal] = /^\[(.*)\]$/.exec(name) ?? [];
  if (literal === undefined) return DOMAIN.test(name) && !isIPv4(name);
  return isIPv4(literal) || (literal.startsWith('IPv6:') && isIPv6(literal.slice('IPv6:'.length)));
}

interface Announced {
  eightBit: boolean;
  smtpUtf8: boolean;
}

/** The objections of a strict mail server to a message (RFC 5321, 5322, 2047). Empty if it is valid. */
export function findMessageFaults(message: Buffer, { eightBit, smtpUtf8 }: Announced): string[] {
  const text = message.toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  const head = text.slice(0, end);
  return [
    ...(/\r(?!\n)|(?<!\r)\n/.test(text) ? ['a bare CR or LF'] : []),
    ...(text.includes('\0') ? ['a NUL'] : []),
    ...(text.split('\r\n').some((line) => line.length > 998) ? ['a line of more than 998 octets'] : []),
    ...(/[\x80-\xff]/.test(text) && !eightBit && !smtpUtf8 ? ['octets above 127 without BODY=8BITMIME'] : []),
    ...(/[\x80-\xff]/.test(head) && !smtpUtf8 ? ['a header above 127 without SMTPUTF8'] : []),
    ...(end === -1 ? ['no body'] : findHeaderFaults(head)),
  ];
}

function findHeaderFaults(head: string): string[] {
  const faults: string[] = [];
  const fields = new Map<string, string[]>();
  for (const field of head.split(/\r\n(?![ \t])/)) {
    const [, name, value] = /^([!-9;-~]+):(.*)$/s.exec(field) ?? [];
    if (name === undefined || value === undefined) faults.push(`a malformed field: ${field}`);
    else fields.set(name.toLowerCase(), [...(fields.get(name.toLowerCase()) ?? []), value.trim()]);
    if (/\r\n[ \t]+(?:\r\n|$)/.test(field)) faults.push(`an empty folded line: ${field}`);
    faults.push(...findEncodedWordFaults(field));
  }
  const check = (name: string, isValid: (unfolded: string) => boolean) => {
    const values = fields.get(name.toLowerCase()) ?? [];
    const [value = ''] = values.map((folded) => folded.replace(/\r\n(?=[ \t])/g, ''));
    if (values.length !== 1) faults.push(`${values.length} fields ${name}`);
    else if (!isValid(value)) faults.push(`an invalid ${name}: ${value}`);
  };
  const isMailbox = (value: string) =>
    MAILBOX.test(value.replace(new RegExp(`(?:${ENCODED_WORD}\\s*)+(?=<|\\s)`, 'g'), 'word '));
  check('Date', isDate);
  check('Message-ID', (value) => MESSAGE_ID.test(value));
  check('From', isMailbox);
  check('To', isMailbox);
  check('Subject', (value) => value !== '');
  check('MIME-Version', (value) => value === '1.0');
  return faults;
}

function isDate(value: string): boolean {
  const [, weekday = '', day, month, year] = DATE.exec(value) ?? [];
  const at = new Date(`${day} ${month} ${year} 00:00:00 UTC`);
  return DAYS[at.getUTCDay()] === weekday && at.getUTCDate() === Number(day);
}

function findEncodedWordFaults(field: string): string[] {
  const faults: string[] = [];
  for (const line of field.split('\r\n')) {
    const words = line.match(new RegExp(ENCODED_WORD, 'g')) ?? [];
    if (words.length > 0 && line.length > 76) faults.push(`a line with an encoded word of more than 76: ${line}`);
    for (const word of words) {
      const [, charset = '', encoding = '', payload = ''] = word.split('?');
      if (charset.toUpperCase() !== 'UTF-8' || word.length > 75) faults.push(`an invalid encoded word: ${word}`);
      const octets =
        encoding.toUpperCase() === 'B'
          ? Buffer.from(payload, 'base64')
          : Buffer.from(
              payload.replace(/_/g, ' ').replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16))),
              'latin1',
            );
      // Each word has complete characters.
      if (!isUtf8(octets)) faults.push(`an encoded word that splits a character: ${word}`);
    }
  }
  return faults;
}
