import {
  addPasskey,
  addPasskeyOptions,
  addTotp,
  confirmTotp,
  getFactors,
  removePasskey,
  removeTotp,
  renewRecoveryCodes,
} from '@steward/contract/factors/factors';
import { useMutation } from '@tanstack/react-query';
import { call } from '#platform/api/api.ts';
import { mutationOptionsFor, queryOptionsFor } from '#platform/api/queries.ts';
import { createPasskey } from '#workspace/session/passkeys.ts';

export const factorsQueryOptions = queryOptionsFor(getFactors, {});

const refreshes = [getFactors];

/** The secret isn't cached. */
export function useAddTotp() {
  return useMutation({ ...mutationOptionsFor(addTotp), gcTime: 0 });
}

/** The recovery codes of the response aren't cached. */
export function useConfirmTotp() {
  return useMutation({ ...mutationOptionsFor(confirmTotp, { refreshes }), gcTime: 0 });
}

export function useRemoveTotp() {
  return useMutation(mutationOptionsFor(removeTotp, { refreshes }));
}

export function useRemovePasskey() {
  return useMutation(mutationOptionsFor(removePasskey, { refreshes }));
}

/** The recovery codes aren't cached. */
export function useRenewRecoveryCodes() {
  return useMutation({ ...mutationOptionsFor(renewRecoveryCodes, { refreshes }), gcTime: 0 });
}

/** Resolves to null if the user cancels in the browser. */
export function useAddPasskey() {
  return useMutation({
    gcTime: 0,
    mutationKey: [addPasskey.name],
    mutationFn: async ({ name }: { name: string }, { client }) => {
      const { options } = await call(addPasskeyOptions, {});
      const response = await createPasskey(options);
      if (response === null) return null;
      const added = await call(addPasskey, { body: { name, response } });
      void client.invalidateQueries({ queryKey: [getFactors.name] });
      return added;
    },
  });
}
