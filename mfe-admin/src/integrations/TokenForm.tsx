import type { ApiToken } from '@balcao/contract'
import { apiTokenRules } from '@balcao/contract/api/rules'
import { API_SCOPES } from '@balcao/contract/api/token'
import { LIMITS } from '@balcao/contract/kit/limits'
import { api } from '@balcao/ui/api'
import { showErrorToast, usePeople, useQuery } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { MultiSelect, Select, TextInput } from '@balcao/ui/parts'
import { FormDialog, FormField, type RowFormProps, useRowForm } from '@balcao/ui/screens'
import { useSetting } from '@balcao/ui/session'
import { useContext } from 'react'
import { SecretContext } from './Secret.tsx'
import { COMPANY, toBody, toFields } from './token-form.ts'

/** Adds or changes a token; a new one is shown, once. */
export function TokenForm(props: RowFormProps<ApiToken>) {
  const { row, onClose } = props
  const t = useTexts('api-tokens')
  const timezone = useSetting('timezone')
  const showSecret = useContext(SecretContext)
  const people = usePeople(showErrorToast).last ?? []
  const queues = useQuery('queues', signal => api('GET /queue', { signal }), showErrorToast).last ?? []
  const form = useRowForm({
    ...props,
    texts: 'api-tokens',
    fieldsOf: toFields,
    rules: apiTokenRules,
    fieldOf: { ERR_NO_USER_FOUND: 'userId' },
    async save(fields, _progress, version, clientId, base) {
      if (row)
        return api('PUT /integrations/tokens/:id', {
          params: { id: row.id },
          body: { ...toBody(fields, base, timezone), version },
        })
      const body = { ...toBody(fields, null, timezone), clientId }
      const { token, ...made } = await api('POST /integrations/tokens', { body })
      showSecret({ name: made.name, secret: token })
      return made
    },
  })
  const active = people.filter(person => person.active || person.id === row?.user?.id)
  return (
    <FormDialog form={form} onClose={onClose}>
      <FormField form={form} name="name" required>
        {field => <TextInput {...field} autoComplete="off" maxLength={LIMITS.apiTokenName[1]} data-autofocus="" />}
      </FormField>
      <FormField form={form} name="scopes" required>
        {field => <MultiSelect {...field} options={API_SCOPES.map(value => ({ value, label: t(`scope.${value}`) }))} />}
      </FormField>
      <FormField form={form} name="userId">
        {field => (
          <Select
            {...field}
            onChange={chosen => field.onChange(chosen ?? COMPANY)}
            options={[
              { value: COMPANY, label: t('company') },
              ...active.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        )}
      </FormField>
      {form.fields.userId === COMPANY && (
        <FormField form={form} name="queueIds" required>
          {field => (
            <MultiSelect
              {...field}
              options={queues.map(({ id, name, color }) => ({ value: id, label: name, color }))}
            />
          )}
        </FormField>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <FormField form={form} name="expiresAt">
          {field => <TextInput {...field} type="date" />}
        </FormField>
        <FormField form={form} name="perMinute">
          {field => <TextInput {...field} inputMode="numeric" autoComplete="off" maxLength={3} />}
        </FormField>
      </div>
    </FormDialog>
  )
}
