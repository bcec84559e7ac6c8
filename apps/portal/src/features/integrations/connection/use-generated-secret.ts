import { connectIntegration, type IntegrationDetail, saveIntegration } from '@steward/contract/integrations';
import { useState } from 'react';
import { call } from '#platform/api/api.ts';
import { showAlert } from '#platform/feedback/alerts.tsx';
import type { Place } from '../integrations.queries.ts';
import { useSendCredentials } from './connection.queries.ts';

/** State of the form for a connection whose secret the server generates. */
export function useGeneratedSecret(place: Place, detail: IntegrationDetail | undefined) {
  const stored = detail?.signature_header ?? '';
  const [header, setHeader] = useState(stored);
  const [isRotated, setRotated] = useState(false);
  const [secret, setSecret] = useState<string>();
  const isConnected = detail?.enabled ?? false;
  const fields = { signature_header: header.trim() };
  const sending = useSendCredentials(() =>
    isConnected
      ? call(saveIntegration, {
          params: place,
          body: { integration: place.integrationId, ...fields, rotate_secret: isRotated },
        })
      : call(connectIntegration, {
          params: place,
          body: { domain: '', username: '', authentication: 2, ...fields },
        }),
  );
  const save = () => {
    if (sending.isPending) return;
    sending.mutate(undefined, {
      onSuccess: (done) => {
        showAlert({ kind: 'success', text: isConnected ? 'Updated Successfully' : 'Settings Saved Successfully' });
        // '' means saved, with no new secret to show.
        setSecret(done.secret ?? '');
      },
      onError: (failure) => showAlert({ kind: 'error', text: failure.message }),
    });
  };
  return {
    header,
    setHeader,
    isRotated,
    setRotated,
    secret,
    save,
    isConnected,
    isDirty: header !== stored || isRotated,
    isSaving: sending.isPending,
    failure: sending.error?.message,
  };
}
