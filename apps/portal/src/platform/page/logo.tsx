interface LogoProps {
  /** Pixels. */
  size: number;
}

/** Same drawing as favicon.svg. It is inline, so that it appears with the first text instead of a frame later. */
export function Logo({ size }: LogoProps) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 32 32"
      fill="none"
      strokeWidth="2.2"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <rect width="32" height="32" rx="8" fill="#5150c4" />
      <path d="M10 11.5 16 8l6 3.5v5c0 4-2.5 6.5-6 8-3.5-1.5-6-4-6-8z" stroke="#fff" />
      <path d="m13 16 2.2 2.2L19.2 14" stroke="#fff" strokeLinecap="round" />
    </svg>
  );
}
