import { type ReactNode, useEffect, useState } from 'react';
import { revokeUrlLater } from './save-file.ts';

interface FileLinkProps {
  file: Blob;
  fileName: string;
  children: ReactNode;
}

export function FileLink({ file, fileName, children }: FileLinkProps) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const url = URL.createObjectURL(file);
    setAddress(url);
    return () => revokeUrlLater(url);
  }, [file]);
  return (
    // This is part of every first load, with the alerts, so it is a plain link instead of Mantine's.
    <a style={{ color: 'var(--mantine-color-anchor)', fontWeight: 500 }} href={address} download={fileName}>
      {children}
    </a>
  );
}
