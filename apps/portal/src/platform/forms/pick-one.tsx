import { NativeSelect } from '@mantine/core';

interface PickOneProps<Value extends string> {
  /** The accessible name. */
  label: string;
  options: readonly { value: Value; label: string }[];
  value: Value;
  className: string | undefined;
  onPick: (value: Value) => void;
}

/** The browser's own list supports every keyboard and every phone. */
export function PickOne<Value extends string>({ label, options, value, className, onPick }: PickOneProps<Value>) {
  return (
    <NativeSelect
      className={className ?? ''}
      aria-label={label}
      data={[...options]}
      value={value}
      onChange={({ currentTarget }) => {
        const picked = options.find((option) => option.value === currentTarget.value);
        if (picked !== undefined) onPick(picked.value);
      }}
    />
  );
}
