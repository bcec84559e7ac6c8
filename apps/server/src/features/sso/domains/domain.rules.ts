import { parse } from 'tldts';

/** Domains under which anyone can get an email address. */
const MAIL_PROVIDERS: ReadonlySet<string> = new Set(
  `126.com 139.com 163.com 21cn.com aim.com alice.it aliyun.com aol.com arcor.de att.net bellsouth.net bigpond.com
  bluewin.ch bol.com.br btinternet.com centurylink.net charter.net comcast.net cox.net daum.net docomo.ne.jp duck.com
  earthlink.net email.com ezweb.ne.jp fastmail.com fastmail.fm foxmail.com free.fr freenet.de frontier.com gmail.com gmx.at
  gmx.ch gmx.com gmx.de gmx.net googlemail.com hanmail.net hey.com hotmail.be hotmail.ca hotmail.co.uk hotmail.com
  hotmail.com.br hotmail.de hotmail.es hotmail.fr hotmail.it hotmail.nl hushmail.com icloud.com inbox.com inbox.lv inbox.ru
  interia.pl internode.on.net juno.com kakao.com keemail.me laposte.net libero.it list.ru live.ca live.co.uk live.com
  live.com.au live.de live.fr live.it live.nl mac.com mail.com mail.de mail.ee mail.ru mailbox.org mailfence.com
  mailinator.com me.com msn.com mweb.co.za nate.com naver.com netzero.net ntlworld.com o2.pl onet.pl optonline.net
  optusnet.com.au orange.fr outlook.com outlook.com.au outlook.de outlook.es outlook.fr outlook.it outlook.jp pm.me posteo.de
  proton.me protonmail.ch protonmail.com protonmail.zone qq.com rambler.ru rediffmail.com riseup.net rocketmail.com
  rogers.com runbox.com sapo.pt sbcglobal.net seznam.cz sfr.fr shaw.ca sina.com sky.com softbank.ne.jp sohu.com
  startmail.com swisscom.ch sympatico.ca t-online.de talktalk.net telenet.be telus.net terra.com.br tiscali.it tuta.com
  tuta.io tutamail.com tutanota.com tutanota.de ukr.net uol.com.br verizon.net videotron.ca virgilio.it virgin.net
  virginmedia.com vodafone.de wanadoo.fr web.de windstream.net wp.pl xs4all.nl xtra.co.nz ya.ru yahoo.ca yahoo.co.id
  yahoo.co.in yahoo.co.jp yahoo.co.uk yahoo.com yahoo.com.ar yahoo.com.au yahoo.com.br yahoo.com.mx yahoo.de yahoo.es
  yahoo.fr yahoo.in yahoo.it yandex.com yandex.ru yeah.net ymail.com zoho.com zohomail.com`.split(/\s+/),
);

export const RECORD_PREFIX = '_steward-challenge';

export function toRecordValue(token: string): string {
  return `steward-domain-verification=${token}`;
}

/**
 * True for a domain shared by unrelated users: a suffix under which anyone can register, such as `co.uk` or `github.io`, or
 * the domain of a mail provider.
 */
export function isSharedDomain(domain: string): boolean {
  const { isIcann, isPrivate, domain: registered, publicSuffix } = parse(domain, { allowPrivateDomains: true });
  if (registered === null || publicSuffix === domain) return true;
  // A private suffix that isn't in the public list, such as `corp.internal`, can't be verified.
  if (isIcann !== true && isPrivate !== true) return !RESERVED_FOR_TESTS.test(domain);
  return MAIL_PROVIDERS.has(registered);
}

/** RFC 2606 reserves these; a private resolver may know them. */
const RESERVED_FOR_TESTS = /\.(?:test|example)$/;
