import { PROFILES, type Queue, type ResponseBody, type UserDetails } from '@balcao/contract'
import { useTexts } from '@balcao/ui/i18n'
import { Field, MultiSelect, Segments, Select, Switch, TextInput } from '@balcao/ui/parts'
import { CheckChips, type Form, FormField, FormSection } from '@balcao/ui/screens'
import { DAYS, RIGHTS, type UserFields } from './form.ts'
import type { TeamMember } from './list.ts'
import { PasswordField } from './PasswordField.tsx'

interface PartProps {
  readonly form: Form<UserFields>
  readonly person: TeamMember | null
  /** One's own e-mail and password are changed in the account, with the current password. */
  readonly isOwn: boolean
}

/** Name, e-mail, password. */
export function Who({ form, person, isOwn }: PartProps) {
  const t = useTexts('users')
  const emailHint = isOwn ? t('form.ownAccount') : person?.address === '' ? t('form.emailSealed') : undefined
  return (
    <FormSection title={t('form.who')}>
      <FormField form={form} name="name" required>
        {field => <TextInput {...field} autoComplete="off" maxLength={200} data-autofocus="" />}
      </FormField>
      <FormField form={form} name="email" hint={emailHint} required>
        {field => <TextInput {...field} type="email" autoComplete="off" maxLength={254} disabled={isOwn} />}
      </FormField>
      <PasswordField form={form} locked={isOwn ? t('form.ownAccount') : undefined} />
    </FormSection>
  )
}

interface WhatProps extends PartProps {
  readonly queues: readonly Queue[]
  readonly connections: ResponseBody<'GET /whatsapp'>
  readonly live: UserDetails['liveTickets']
  readonly onTransfer: () => void
}

/** Profile, queues, connection, what may be done to contacts, and whether the person may come in. */
export function What({ form, person, isOwn, queues, connections, live, onTransfer }: WhatProps) {
  const t = useTexts('users')
  const { profile, active } = form.fields
  const tickets = live.reduce((sum, row) => sum + row.tickets, 0)
  return (
    <FormSection title={t('form.what')}>
      <div>
        <span className="b-label mb-1.5 block">{t('form.profile')}</span>
        <Segments
          label={t('form.profile')}
          tabs={PROFILES.toReversed().map(id => ({ id, label: t(`profile.${id}`) }))}
          chosen={profile}
          onChoose={next => form.set('profile', next)}
        />
      </div>
      <FormField form={form} name="queueIds">
        {field => (
          <MultiSelect {...field} options={queues.map(({ id, name, color }) => ({ value: id, label: name, color }))} />
        )}
      </FormField>
      <FormField form={form} name="whatsappId">
        {field => (
          <Select
            {...field}
            options={connections.map(({ id, name }) => ({ value: id, label: name }))}
            placeholder={t('form.companyDefault')}
            clearable
          />
        )}
      </FormField>
      <CheckChips
        label={t('form.rights')}
        options={RIGHTS.map(right => ({ value: right, label: t(`right.${right}`) }))}
        value={form.fields.rights}
        onChange={rights => form.set('rights', rights)}
      />
      <div className="grid gap-1">
        <Switch
          label={t(active ? 'form.isActive' : 'form.isInactive')}
          hint={t(isOwn ? 'form.ownActive' : active ? 'form.activeHint' : 'form.inactiveHint')}
          checked={active}
          disabled={isOwn}
          onChange={is => form.set('active', is)}
        />
        {person && tickets > 0 && (
          <p className="m-0 flex flex-wrap items-center gap-2 text-small text-text-2">
            {t('form.live', { count: tickets })}
            <button type="button" className="b-link" onClick={onTransfer}>
              {t('form.transfer')}
            </button>
          </p>
        )}
      </div>
    </FormSection>
  )
}

/** Seconds from one time to choose to the next. */
const STEP = 5 * 60

/** Hours and days; outside of them nobody but administrators comes in (spec 2 §4). */
export function Hours({ form }: { readonly form: Form<UserFields> }) {
  const t = useTexts('users')
  const time = (name: 'startTime' | 'endTime') => (
    <Field label={t(`form.${name}`)} error={form.errorOf(name)} className="w-32">
      <TextInput type="time" step={STEP} value={form.fields[name]} onChange={value => form.set(name, value)} required />
    </Field>
  )
  return (
    <FormSection title={t('form.hours')}>
      <div className="flex flex-wrap items-end gap-3">
        {time('startTime')}
        {time('endTime')}
        <p className="m-0 min-w-0 flex-1 pb-2 text-small text-muted max-sm:basis-full">{t('form.hoursHint')}</p>
      </div>
      <CheckChips
        label={t('form.days')}
        options={DAYS.map(day => ({ value: day, label: t(`day.${day}`) }))}
        value={form.fields.days}
        onChange={days => form.set('days', days)}
      />
    </FormSection>
  )
}
