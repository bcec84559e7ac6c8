import '@mantine/core/styles/Anchor.layer.css';
import '@mantine/core/styles/Text.layer.css';
import { Anchor } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { revokeUrlLater } from './save-file.ts';

interface FileLinkProps {
  file: Blob;
  fileName: string;
  children: ReactNode;
}

/** A link that saves a file created in this tab. */
export function FileLink({ file, fileName, children }: FileLinkProps) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const url = URL.createObjectURL(file);
    setAddress(url);
    return () => revokeUrlLater(url);
  }, [file]);
  return (
    <Anchor inherit fw={500} underline="always" href={address} download={fileName}>
      {children}
    </Anchor>
  );
}
