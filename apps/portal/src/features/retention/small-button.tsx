import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentPropsWithRef } from 'react';

/** The height makes the control easy to touch on a phone. */
export const SMALL_HEIGHT = { base: 44, sm: 26 };

export function SmallButton(props: ButtonProps & Omit<ComponentPropsWithRef<'button'>, keyof ButtonProps>) {
  return <Button size="compact-sm" variant="default" h={SMALL_HEIGHT} px={{ base: 14, sm: 8 }} {...props} />;
}
