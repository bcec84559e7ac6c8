import addressparser from 'nodemailer/lib/addressparser';
import { parseHost } from './addresses.ts';

export interface MailAddress {
  name: string;
  address: string;
}

const LOCAL_PART = /^(?=.{1,64}$)[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
const EXAMPLE = '"Steward, Example Inc." <no-reply@steward.example>';

/** Parses MAIL_FROM; the message of an error completes “MAIL_FROM: …”. */
export function parseMailFrom(value: string): MailAddress {
  const [first, ...others] = addressparser(value);
  const at = first?.address?.lastIndexOf('@') ?? -1;
  const local = first?.address?.slice(0, at) ?? '';
  const domain = parseHost(first?.address?.slice(at + 1) ?? '');
  if (first === undefined || others.length > 0 || at < 1 || !LOCAL_PART.test(local) || domain === undefined)
    throw new Error(`must be one email address, with or without a name, such as ${EXAMPLE}`);
  return { name: first.name ?? '', address: `${local}@${domain}` };
}
