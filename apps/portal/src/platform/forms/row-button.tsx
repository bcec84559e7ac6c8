import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentProps } from 'react';
import { Icon, type IconName } from '#platform/page/icon.tsx';

interface SmallButtonProps extends ButtonProps, Omit<ComponentProps<'button'>, keyof ButtonProps> {
  icon?: IconName;
}

/** For rows and notices. */
export function RowButton({ icon, ...props }: SmallButtonProps) {
  return <Button size="compact-sm" variant="default" leftSection={icon && <Icon name={icon} size={14} />} {...props} />;
}
