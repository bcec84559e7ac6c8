import { Group, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { NAME_MAX } from '@steward/contract/api/limits';
import { pickProfile, type User } from '@steward/contract/users';
import { showAlert } from '#platform/feedback/alerts.tsx';
import { FocusableButton } from '#platform/forms/focusable-button.tsx';
import { FormError } from '#workspace/page/card.tsx';
import { useSaveProfile } from './account.queries.ts';
import { PictureField } from './picture-field.tsx';
import { Section } from './section.tsx';

/** Picture, address and names. */
export function ProfileSection({ user }: { user: User }) {
  const save = useSaveProfile();
  const form = useForm({ initialValues: pickProfile(user) });
  const submit = (body: typeof form.values) =>
    save.mutate(
      { body },
      {
        onSuccess: (saved) => {
          form.setInitialValues(pickProfile(saved));
          form.reset();
          showAlert({ kind: 'success', text: 'Your name was saved' });
        },
      },
    );
  return (
    <Section title="Profile" description="Your name and picture are shown in all your teams.">
      <PictureField user={user} />
      <form noValidate onSubmit={form.onSubmit(submit)}>
        <Stack gap="md">
          {save.error !== null && !save.isPending && <FormError>{save.error.message}</FormError>}
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput
              label="First name"
              autoComplete="given-name"
              maxLength={NAME_MAX}
              {...form.getInputProps('first_name')}
            />
            <TextInput
              label="Last name"
              autoComplete="family-name"
              maxLength={NAME_MAX}
              {...form.getInputProps('last_name')}
            />
          </SimpleGrid>
          <Group>
            <FocusableButton type="submit" isDisabled={!form.isDirty()} isBusy={save.isPending}>
              Save name
            </FocusableButton>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
