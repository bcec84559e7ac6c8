import { hashPassword } from '@steward/server/src/platform/security/passwords.ts';
import { timed } from './statistics.ts';

const SPIN_MS = 150;
const HASHES = 5;

/** How much of the machine was there for the bench: absolute times mean nothing without it. */
export interface Calm {
  /** Of a core that was asked for, the part that was given, from 0 to 1. */
  share: number;
  /** One argon2id hash after the other, how many a second; about 100 on a calm core. */
  hashesPerSecond: number;
}

/** Asks for a core for a moment and looks what came of it. */
export async function calm(): Promise<Calm> {
  const cpu = process.cpuUsage();
  const from = performance.now();
  while (performance.now() - from < SPIN_MS);
  const { user, system } = process.cpuUsage(cpu);
  const share = (user + system) / 1000 / (performance.now() - from);
  const hashing = await timed(async () => {
    for (let hash = 0; hash < HASHES; hash += 1) await hashPassword('a password to be hashed');
  });
  return { share: Math.min(1, share), hashesPerSecond: (HASHES / hashing) * 1000 };
}

/** One sentence of several looks. */
export function calmText(looks: readonly Calm[]): string {
  const range = (numbers: number[]) => `${Math.round(Math.min(...numbers))}–${Math.round(Math.max(...numbers))}`;
  const shares = range(looks.map(({ share }) => share * 100));
  const hashes = range(looks.map(({ hashesPerSecond }) => hashesPerSecond));
  return `Of a core that was asked for, ${shares} % was there; ${hashes} argon2id hashes a second (a calm core: about 100).`;
}
