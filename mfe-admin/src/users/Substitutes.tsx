import type { Queue, User, UserDetails } from '@balcao/contract'
import { describeFault } from '@balcao/ui/catalogue'
import { useTexts } from '@balcao/ui/i18n'
import { Checkbox, Field, Icon, Select } from '@balcao/ui/parts'
import { type Form, RowsField } from '@balcao/ui/screens'
import { ArrowRight, TriangleAlert } from 'lucide-react'
import { type SubstituteRow, type UserFields, validateSubstitutes } from './form.ts'
import type { TeamMember } from './list.ts'

interface SubstitutesProps {
  readonly form: Form<UserFields>
  readonly person: TeamMember | null
  readonly people: readonly User[]
  readonly queues: readonly Queue[]
  readonly live: UserDetails['liveTickets']
}

/** Who takes the tickets of each queue while the person is inactive (spec 2 §5); none is added while the person is active. */
export function Substitutes({ form, person, people, queues, live }: SubstitutesProps) {
  const t = useTexts('users')
  const { substitutes, active, queueIds } = form.fields
  const faults = validateSubstitutes(form.fields, person, people)
  const isTold = form.errorOf('substitutes') !== null
  const add = {
    label: t('substitutes.add'),
    make: (): SubstituteRow => ({ id: computeNextId(substitutes), queueId: null, userId: null, transfer: true }),
  }
  function draw(row: SubstituteRow, change: (part: Partial<SubstituteRow>) => void) {
    const fault = faults[substitutes.indexOf(row)]
    // Nobody is scolded for a row that is being filled in.
    const isWrong = fault && (isTold || fault.code !== 'incomplete')
    const tickets = live.find(({ queueId }) => queueId === row.queueId)?.tickets ?? 0
    const offered = queues.filter(({ id }) => queueIds.includes(id) || id === row.queueId)
    return (
      <>
        <div className="grid items-center gap-2 sm:grid-cols-[10.5rem_auto_12.5rem_1fr]">
          <Wrong is={Boolean(isWrong)} label={t('substitutes.queue')}>
            <Select
              options={offered.map(({ id, name, color }) => ({ value: id, label: name, color }))}
              placeholder={t('substitutes.queue')}
              value={row.queueId}
              onChange={queueId => change({ queueId })}
            />
          </Wrong>
          <Icon of={ArrowRight} size={16} className="text-muted max-sm:hidden" />
          <Wrong is={Boolean(isWrong)} label={t('substitutes.person')}>
            <Select
              options={listCandidates(people, person, row)}
              placeholder={t('substitutes.person')}
              value={row.userId}
              onChange={userId => change({ userId })}
            />
          </Wrong>
          <Checkbox checked={row.transfer} onChange={transfer => change({ transfer })} className="text-cell">
            {t('substitutes.transfer', { count: tickets })}
          </Checkbox>
        </div>
        {isWrong && (
          <p className="mt-1 mb-0 flex items-center gap-1.5 text-small text-danger" role="alert">
            <Icon of={TriangleAlert} size={14} />
            {describeFault(`substitution.${fault.code}`, fault.params)}
          </p>
        )}
      </>
    )
  }
  return (
    <>
      {active && <p className="m-0 text-small text-muted">{t('substitutes.whileActive')}</p>}
      {(!active || substitutes.length > 0) && (
        <RowsField
          label={t('substitutes.title')}
          rows={substitutes}
          onChange={rows => form.set('substitutes', rows)}
          nameOf={row => queues.find(({ id }) => id === row.queueId)?.name ?? t('substitutes.new')}
          draw={draw}
          add={active ? undefined : add}
        />
      )}
    </>
  )
}

/** A field whose label only readers hear, red where its row is wrong. */
function Wrong({ is, label, children }: { is: boolean; label: string; children: React.ReactNode }) {
  return (
    <div className="[&_.b-field-error]:hidden [&_.b-label-line]:sr-only">
      <Field label={label} error={is ? ' ' : null}>
        {children}
      </Field>
    </div>
  )
}

/** Who has the queue comes first; of the others it is said that they lack it. */
function listCandidates(people: readonly User[], person: TeamMember | null, row: SubstituteRow) {
  const has = (user: User) => row.queueId === null || user.queueIds.includes(row.queueId)
  const others = people.filter(({ id, active }) => id === row.userId || (active && id !== person?.id))
  return [...others.filter(has), ...others.filter(user => !has(user))].map(({ id, name }) => ({
    value: id,
    label: name,
  }))
}

function computeNextId(rows: readonly SubstituteRow[]) {
  return 1 + Math.max(0, ...rows.map(({ id }) => id))
}
