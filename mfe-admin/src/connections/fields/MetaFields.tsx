import { useTexts } from '@balcao/ui/i18n'
import { Field, PasswordInput, Switch, TextInput } from '@balcao/ui/parts'
import { WebhookFacts } from '../WebhookDialog.tsx'
import { type FormPart, problemText } from './part.ts'

interface MetaFieldsProps extends FormPart {
  readonly hasToken: boolean
  readonly webhookUrl: string | null
}

/** What Meta gives and takes. The stored key is never shown again; empty keeps it. */
export function MetaFields({ fields, change, problems, editing, hasToken, webhookUrl }: MetaFieldsProps) {
  const t = useTexts('admin')
  return (
    <section className="grid gap-4 rounded-card border border-line p-4" aria-label={t('form.sectionMeta')}>
      <Field label={t('form.phoneNumberId')} error={problemText(problems, 'phoneNumberId')} required>
        <TextInput
          value={fields.phoneNumberId}
          onChange={phoneNumberId => change({ phoneNumberId })}
          inputMode="numeric"
          autoComplete="off"
          maxLength={64}
        />
      </Field>
      <Field label={t('form.wabaId')} error={problemText(problems, 'wabaId')}>
        <TextInput
          value={fields.wabaId}
          onChange={wabaId => change({ wabaId })}
          inputMode="numeric"
          autoComplete="off"
          maxLength={64}
        />
      </Field>
      <Field
        label={t('form.tokenMeta')}
        hint={t(hasToken ? 'form.tokenKeep' : 'form.tokenHint')}
        error={problemText(problems, 'tokenMeta')}
        required={!hasToken}
      >
        <PasswordInput
          value={fields.tokenMeta}
          onChange={tokenMeta => change({ tokenMeta })}
          autoComplete="off"
          maxLength={2000}
        />
      </Field>
      <Switch
        label={t('form.metaIntegration')}
        checked={fields.metaIntegration}
        onChange={metaIntegration => change({ metaIntegration })}
      />
      {editing && <WebhookFacts webhookUrl={webhookUrl} />}
    </section>
  )
}
