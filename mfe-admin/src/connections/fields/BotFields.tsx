import { useTexts } from '@balcao/ui/i18n'
import { Field, TextInput } from '@balcao/ui/parts'
import { type FormPart, problemText } from './part.ts'
import { Section } from './Section.tsx'

/** Where the external bot lives. */
export function BotFields({ fields, change, problems }: FormPart) {
  const t = useTexts('admin')
  return (
    <Section title={t('form.sectionBot')} open={Boolean(problems.publicDNSTypebot)}>
      <Field label={t('form.publicDNSTypebot')} error={problemText(problems, 'publicDNSTypebot')}>
        <TextInput
          value={fields.publicDNSTypebot}
          onChange={publicDNSTypebot => change({ publicDNSTypebot })}
          type="url"
          placeholder="https://"
          maxLength={500}
        />
      </Field>
      <Field label={t('form.publicIDTypebot')}>
        <TextInput
          value={fields.publicIDTypebot}
          onChange={publicIDTypebot => change({ publicIDTypebot })}
          autoComplete="off"
          maxLength={200}
        />
      </Field>
    </Section>
  )
}
