import type { Queue, ResponseBody, User } from '@balcao/contract'
import { api, isApiError } from '@balcao/ui/api'
import { formatDate, formatMoment, type Texts, useTexts } from '@balcao/ui/i18n'
import { Button, toast } from '@balcao/ui/parts'
import {
  ConfirmDanger,
  FormDialog,
  FormSection,
  type RowFormProps,
  useDialogData,
  useForm,
  useRowState,
} from '@balcao/ui/screens'
import { useUser } from '@balcao/ui/session'
import { useState } from 'react'
import { useFateLines } from './Fates.tsx'
import { findSubstituteProblem, makeUserRules, toFields, type UserFields } from './form.ts'
import { decideTicketFates, type TicketFate } from './leaving.ts'
import { type TeamMember, toPerson } from './list.ts'
import { OneTimePasswords } from './OneTimePasswords.tsx'
import { CroppedPicture, Face } from './Picture.tsx'
import { RemoveUser } from './RemoveUser.tsx'
import { ResetPassword } from './ResetPassword.tsx'
import { Substitutes } from './Substitutes.tsx'
import { type SaveResult, savePerson } from './save-person.ts'
import { TransferTickets } from './TransferTickets.tsx'
import { Hours, What, Who } from './UserFields.tsx'

interface UserFormData {
  readonly people: readonly User[]
  readonly queues: readonly Queue[]
  readonly connections: ResponseBody<'GET /whatsapp'>
  readonly details: ResponseBody<'GET /users/:id'> | null
}

/** Adds or changes a person (spec 2 §2, §5): first it is looked who and what there is to choose from. */
export function UserForm(props: RowFormProps<TeamMember>) {
  const { row, onClose } = props
  const { last, again } = useDialogData<UserFormData>('around', signal => load(row, signal), onClose)
  return last && <OpenForm {...props} around={last} onLook={again} />
}

const LABELS: Partial<Record<keyof UserFields, string>> = { active: 'form.isActive', substitutes: 'substitutes.title' }

type OpenFormProps = RowFormProps<TeamMember> & { readonly around: UserFormData; readonly onLook: () => void }
type SidePanel = 'reset' | 'remove' | 'transfer'

function OpenForm({ row, rows, around, onLook, onClose }: OpenFormProps) {
  const t = useTexts('users')
  const { people, queues, connections, details } = around
  const isOwn = useUser().id === row?.id
  const [beside, setBeside] = useState<SidePanel | null>(null)
  const [password, setPassword] = useState<string | null>(null)
  const [question, ask] = useState<DeactivationQuestion | null>(null)
  const linesOf = useFateLines(queues)
  const form = useForm<UserFields, SaveResult, ReturnType<typeof makeUserRules>>({
    texts: 'users',
    keptAs: `users/${row?.id ?? 'new'}`,
    ...useRowState(row, rows, toFields),
    labelOf: name => t(LABELS[name] ?? `form.${name}`),
    rules: makeUserRules(row),
    faultsOf(fields) {
      const problem = findSubstituteProblem(fields, row, people)
      return problem ? { substitutes: problem } : {}
    },
    fieldOf: { ERR_DUPLICATED_EMAIL: 'email' },
    confirm: async fields => !row || agreed(row, fields),
    save: (fields, _progress, version, clientId) =>
      savePerson(fields, row, isOwn, version, clientId).catch(async (error: unknown) => {
        if (isApiError(error, 'ERR_CHANGED_MEANWHILE')) rows.put(await toPerson(error.details as User))
        throw error
      }),
    onSaved(saved) {
      rows.put(saved.person)
      toast.success(t('saved'))
      if (saved.oneTimePassword === null) onClose()
      else setPassword(saved.oneTimePassword)
    },
  })

  /** Who loses live tickets by it is asked about first, with how many there are now. */
  async function agreed(person: TeamMember, fields: UserFields): Promise<boolean> {
    const isOff = person.active && !fields.active
    const lost = person.queueIds.filter(id => !fields.queueIds.includes(id))
    if (!isOff && lost.length === 0) return true
    const { liveTickets } = await api('GET /users/:id', { params: { id: person.id } })
    const how = isOff ? 'off' : { queues: lost }
    const found = decideTicketFates(liveTickets, { how, rows: fields.substitutes, people })
    if (!isOff && found.length === 0) return true
    return new Promise(answer => ask({ isOff, fates: found, answer }))
  }

  const { name } = form.fields
  if (password) return <OneTimePasswords people={[{ name, password }]} onClose={onClose} />
  return (
    <>
      <FormDialog
        form={form}
        docked
        title={row?.name}
        intro={row && details && describeMembership(row, details, t)}
        before={<Face person={row} name={name} file={form.fields.picture} />}
        aside={<CroppedPicture onChange={file => form.set('picture', file)} />}
        danger={
          row &&
          !isOwn && (
            <>
              <Button kind="plain" className="text-danger" onClick={() => setBeside('remove')}>
                {t('form.remove')}
              </Button>
              <Button kind="plain" onClick={() => setBeside('reset')}>
                {t('form.reset')}
              </Button>
            </>
          )
        }
        onClose={onClose}
      >
        <div className="grid grid-cols-[minmax(0,1fr)] gap-x-5 gap-y-4 sm:grid-cols-2">
          <div>
            <Who form={form} person={row} isOwn={isOwn} />
          </div>
          <div className="border-line max-sm:border-t max-sm:pt-4 sm:border-l sm:pl-5">
            <What
              {...{ form, isOwn, queues, connections }}
              person={row}
              live={details?.liveTickets ?? []}
              onTransfer={() => setBeside('transfer')}
            />
          </div>
        </div>
        <Hours form={form} />
        <FormSection title={t('substitutes.title')}>
          <Substitutes form={form} person={row} people={people} queues={queues} live={details?.liveTickets ?? []} />
        </FormSection>
      </FormDialog>
      {row && beside === 'reset' && <ResetPassword person={row} onClose={() => setBeside(null)} />}
      {row && beside === 'remove' && (
        <RemoveUser row={row} rows={{ ...rows, drop: gone }} onClose={() => setBeside(null)} />
      )}
      {row && details && beside === 'transfer' && (
        <TransferTickets
          {...{ person: row, people, queues, live: details.liveTickets, onDone: onLook }}
          onClose={() => setBeside(null)}
        />
      )}
      {question && row && (
        <ConfirmDanger
          title={t(question.isOff ? 'off.title' : 'lost.title', { name: row.name })}
          text={t(question.isOff ? 'off.text' : 'lost.text')}
          figures={linesOf(question.fates)}
          action={t(question.isOff ? 'off.action' : 'lost.action')}
          onConfirm={async () => question.answer(true)}
          onClose={() => {
            question.answer(false)
            ask(null)
          }}
        />
      )}
    </>
  )

  function gone(id: number) {
    rows.drop(id)
    form.forget()
    onClose()
  }
}

interface DeactivationQuestion {
  readonly isOff: boolean
  readonly fates: readonly TicketFate[]
  readonly answer: (yes: boolean) => void
}

async function load(row: TeamMember | null, signal: AbortSignal): Promise<UserFormData> {
  const [{ users: people }, queues, connections, details] = await Promise.all([
    api('GET /users', { query: { all: 'true' }, signal }),
    api('GET /queue', { signal }),
    api('GET /whatsapp', { signal }),
    row && api('GET /users/:id', { params: { id: row.id }, signal }),
  ])
  return { people, queues, connections, details }
}

function describeMembership(
  { profile }: TeamMember,
  { createdAt, lastSeenAt }: ResponseBody<'GET /users/:id'>,
  t: Texts,
) {
  const since = createdAt && t('since', { profile: t(`profile.${profile}`), date: formatDate(createdAt) })
  const seen = lastSeenAt ? t('lastSeen', { when: formatMoment(lastSeenAt) }) : t('neverSeen')
  return [since, seen].filter(Boolean).join(' · ')
}
