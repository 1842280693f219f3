import type { Webhook } from '@balcao/contract'
import { LIMITS } from '@balcao/contract/kit/limits'
import { webhookRules } from '@balcao/contract/webhooks/rules'
import { WEBHOOK_EVENTS, WEBHOOK_FIELDS } from '@balcao/contract/webhooks/webhook'
import { api } from '@balcao/ui/api'
import { showErrorToast, useConnections, useQuery } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { MultiSelect, Switch, TextInput } from '@balcao/ui/parts'
import { CheckChips, type Form, FormDialog, FormField, type RowFormProps, useRowForm } from '@balcao/ui/screens'
import { useContext } from 'react'
import { isFilterEmpty, toBody, toFields, type WebhookFields } from './form.ts'
import { SecretContext } from './Secret.tsx'

/** Adds or changes a webhook; of a new one the secret is shown, once. */
export function WebhookForm(props: RowFormProps<Webhook>) {
  const { row, onClose } = props
  const t = useTexts('integrations')
  const showSecret = useContext(SecretContext)
  const form = useRowForm({
    ...props,
    texts: 'integrations',
    fieldsOf: toFields,
    rules: webhookRules,
    async save(fields, _progress, version, clientId, base) {
      if (row)
        return api('PUT /integrations/:id', { params: { id: row.id }, body: { ...toBody(fields, base), version } })
      const { secret, ...made } = await api('POST /integrations', { body: { ...toBody(fields, null), clientId } })
      showSecret({ name: made.name, secret })
      return made
    },
  })
  return (
    <FormDialog form={form} onClose={onClose}>
      <FormField form={form} name="name" required>
        {field => <TextInput {...field} autoComplete="off" maxLength={LIMITS.webhookName[1]} data-autofocus="" />}
      </FormField>
      <FormField form={form} name="address" required>
        {field => (
          <TextInput
            {...field}
            type="url"
            inputMode="url"
            autoComplete="off"
            placeholder="https://"
            maxLength={LIMITS.webhookAddress}
          />
        )}
      </FormField>
      <FormField form={form} name="events" required>
        {field => (
          <MultiSelect {...field} options={WEBHOOK_EVENTS.map(value => ({ value, label: t(`event.${value}`) }))} />
        )}
      </FormField>
      <Filters form={form} isEmpty={row !== null && isFilterEmpty(row)} />
      <CheckChips
        label={t('form.fields')}
        options={WEBHOOK_FIELDS.map(value => ({ value, label: t(`field.${value}`) }))}
        value={form.fields.fields}
        onChange={fields => form.set('fields', fields)}
      />
      <p className="m-0 -mt-2 text-small text-text-2">{t('form.fieldsHint')}</p>
      {row && <Switch label={t('form.active')} checked={form.fields.active} onChange={is => form.set('active', is)} />}
    </FormDialog>
  )
}

interface FiltersProps {
  readonly form: Form<WebhookFields>
  /** What they named is gone. */
  readonly isEmpty: boolean
}

/** Of which connections and queues it is told. */
function Filters({ form, isEmpty }: FiltersProps) {
  const t = useTexts('integrations')
  const connections = useConnections(showErrorToast).last ?? []
  const queues = useQuery('queues', signal => api('GET /queue', { signal }), showErrorToast).last ?? []
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <FormField form={form} name="connectionIds">
          {field => (
            <MultiSelect
              {...field}
              options={connections.map(({ id, name }) => ({ value: id, label: name }))}
              placeholder={t('form.allConnections')}
            />
          )}
        </FormField>
        <FormField form={form} name="queueIds">
          {field => (
            <MultiSelect
              {...field}
              options={queues.map(({ id, name, color }) => ({ value: id, label: name, color }))}
              placeholder={t('form.allQueues')}
            />
          )}
        </FormField>
      </div>
      <p className="m-0 -mt-2 text-small text-text-2">{t(isEmpty ? 'filterGone' : 'form.filtersHint')}</p>
    </>
  )
}
