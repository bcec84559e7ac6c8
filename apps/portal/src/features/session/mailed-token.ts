/** The token of a mailed link: taken out of the address at once, and kept nowhere else than in this page's memory. */
let held: string | undefined;

export function mailedToken(): string | undefined {
  return held;
}

export function holdMailedToken(token: string | undefined): void {
  held = token;
}
