import type { Queue } from '@balcao/contract'
import { useTexts } from '@balcao/ui/i18n'
import { Switch, TextArea, TextInput } from '@balcao/ui/parts'
import { FoldedSection, FormDialog, FormField, FormSection } from '@balcao/ui/screens'
import { CompanyTryIt } from '@balcao/ui/try-it'
import { DailyCap } from './DailyCap.tsx'
import { FLOW, MESSAGES } from './form.ts'
import { KindChoice } from './KindChoice.tsx'
import { OwnFields } from './OwnFields.tsx'
import { QueuesField } from './QueuesField.tsx'
import { type ConnectionFormOptions, useConnectionForm } from './use-connection-form.ts'
import { WebhookFacts } from './WebhookDialog.tsx'

interface ConnectionFormProps extends ConnectionFormOptions {
  readonly queues: readonly Queue[]
}

/** Changes a connection (spec 2 §5). */
export function ConnectionForm({ connection, isGone, queues, desk, onClose }: ConnectionFormProps) {
  const t = useTexts('connections')
  const { name, hasToken } = connection
  const form = useConnectionForm({ connection, isGone, desk, onClose })
  const { fields } = form
  const needsGreeting = fields.queueIds.length > 1
  return (
    <FormDialog
      form={form}
      title={t('form.editTitle', { name })}
      intro={t('form.locked')}
      docked
      action={t('form.save')}
      onClose={onClose}
    >
      <FormSection title={t('form.sectionBasics')}>
        <FormField form={form} name="name" hint="" required>
          {field => <TextInput {...field} disabled autoComplete="off" />}
        </FormField>
        <KindChoice value={fields.api} onChange={kind => form.set('api', kind)} locked />
        <QueuesField form={form} queues={queues} />
        <div className="grid gap-x-8 gap-y-3 sm:grid-cols-2">
          {(['isDefault', 'nps'] as const).map(name => (
            <Switch
              key={name}
              label={t(`form.${name}`)}
              hint={form.errorOf(name) ?? t(`form.${name}Hint`)}
              checked={fields[name]}
              onChange={is => form.set(name, is)}
            />
          ))}
        </div>
      </FormSection>
      <OwnFields form={form} isKept={hasToken}>
        <WebhookFacts webhookUrl={connection.webhookUrl} />
      </OwnFields>
      <FoldedSection title={t('form.sectionMessages')} open={needsGreeting || MESSAGES.some(form.errorOf)}>
        <div className="grid gap-4 sm:grid-cols-2">
          {MESSAGES.map(name => (
            <FormField key={name} form={form} name={name} required={name === 'greetingMessage' && needsGreeting}>
              {field => <TextArea {...field} maxRows={6} />}
            </FormField>
          ))}
        </div>
      </FoldedSection>
      <FoldedSection title={t('form.sectionBot')} open={FLOW.some(name => form.errorOf(name) !== null)}>
        <FormField form={form} name="publicDNSTypebot">
          {field => <TextInput {...field} type="url" placeholder="https://" maxLength={500} />}
        </FormField>
        <FormField form={form} name="publicIDTypebot">
          {field => <TextInput {...field} autoComplete="off" maxLength={200} />}
        </FormField>
      </FoldedSection>
      <DailyCap form={form} />
      <FoldedSection title={t('form.sectionTry')} open={false} lazy>
        <div className="max-w-full justify-self-center">
          <CompanyTryIt connection={fields} />
        </div>
      </FoldedSection>
    </FormDialog>
  )
}
