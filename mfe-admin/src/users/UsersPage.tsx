import type { ResponseBody } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { reportErrors, useQuery } from '@balcao/ui/ask'
import { addTexts, getTexts, useTexts } from '@balcao/ui/i18n'
import { live } from '@balcao/ui/live'
import { Avatar, Button, Chip, Chips, toast, useNarrowerThan } from '@balcao/ui/parts'
import { type Column, DataPage, type RowAction, type Rows, useHistory, useRows } from '@balcao/ui/screens'
import { subscribeToTeam, usePresence } from '@balcao/ui/team'
import { FileUp, UserCheck, Users } from 'lucide-react'
import { useCallback, useEffect, useMemo, useState } from 'react'
import pt from '../../locales/users/pt.json'
import { NextStep } from '../first-steps/NextStep.tsx'
import { ImportedPasswords } from './ImportedPasswords.tsx'
import { ImportUsers } from './ImportUsers.tsx'
import { type TeamMember, USERS } from './list.ts'
import { RemoveUser } from './RemoveUser.tsx'
import { UserForm } from './UserForm.tsx'

addTexts('users', {
  pt,
  en: () => import('../../locales/users/en.json'),
  es: () => import('../../locales/users/es.json'),
})

type Connections = Readonly<ResponseBody<'GET /whatsapp'>>

/** The page of users (spec 2 §2): everybody of the team, by name; live. */
export default function UsersPage() {
  const t = useTexts('users')
  subscribeToTeam()
  const rows = useRows(USERS)
  const connections = useConnections()
  const [isImporting, setImporting] = useState(false)
  const isNarrow = useNarrowerThan('wide')
  const { put, look } = rows
  const approve = useCallback((person: TeamMember) => void reportErrors(() => approveUser(person, put)), [put])
  const columns = useMemo(() => makeColumns(connections, isNarrow ? null : approve), [connections, isNarrow, approve])
  const history = useHistory('user')
  // In a wide table its button stands beside the name; elsewhere there is no room for it.
  const approval: RowAction<TeamMember> = { id: 'approve', icon: UserCheck, when: isAsking, perform: approve }
  useRenamedQueues(look)
  return (
    <>
      <DataPage
        texts="users"
        icon={Users}
        rows={rows}
        columns={columns}
        above={<NextStep after="people" />}
        nameOf={({ name }) => name}
        cardOf={person => ({
          before: <Picture person={person} size={44} />,
          title: person.name,
          text: [t(`profile.${person.profile}`), formatHours(person), formatQueueNames(person)]
            .filter(Boolean)
            .join(' · '),
          note: <Marks person={person} />,
        })}
        actions={isNarrow ? [approval, ...history] : history}
        sheets={[{ id: 'import', label: t('import.title'), icon: FileUp, onChoose: () => setImporting(true) }]}
        form={UserForm}
        removal={RemoveUser}
      />
      {isImporting && <ImportUsers onClose={() => setImporting(false)} />}
      <ImportedPasswords />
    </>
  )
}

/** `approve`: where there is room for its button, and for a column of addresses; elsewhere these stand under the names. */
function makeColumns(connections: Connections, approve: ((person: TeamMember) => void) | null): Column<TeamMember>[] {
  const email: Column<TeamMember> = { id: 'email', cell: person => <Address person={person} /> }
  return [
    {
      id: 'name',
      width: approve ? 'w-[25%]' : 'w-[36%]',
      cell: person => (
        <span className="flex min-w-0 items-center gap-2.5">
          <Picture person={person} size={28} />
          <span className="min-w-0">
            <bdi className="block truncate" title={person.name}>
              {person.name}
            </bdi>
            {!approve && <Address person={person} />}
            {approve && isAsking(person) && (
              <span className="block truncate font-normal text-cell text-text-2">{getTexts('users')('awaiting')}</span>
            )}
          </span>
          {/* Beside a button there is no room for a mark: the name would be cut. */}
          {!(approve && isAsking(person)) && <Marks person={person} />}
          {approve && isAsking(person) && (
            <Button
              size="small"
              aria-label={getTexts('users')('action.approve', { name: person.name })}
              onClick={() => approve(person)}
            >
              {getTexts('users')('approve')}
            </Button>
          )}
        </span>
      ),
    },
    ...(approve ? [email] : []),
    {
      id: 'queues',
      width: 'w-[16%]',
      cell: ({ queues }) => (
        <span className="flex items-center gap-1">
          <Chips tags={queues} most={1} />
        </span>
      ),
    },
    { id: 'hours', width: approve ? 'w-[10%]' : 'w-[14%]', cell: formatHours },
    {
      id: 'profile',
      width: approve ? 'w-[11%]' : 'w-[13%]',
      cell: ({ profile }) => getTexts('users')(`profile.${profile}`),
    },
    {
      id: 'connection',
      width: approve ? 'w-[12%]' : 'w-[10%]',
      cell: ({ whatsappId }) => findConnectionName(connections, whatsappId),
    },
  ]
}

function Address({ person: { address } }: { readonly person: TeamMember }) {
  return (
    <span className="block truncate font-normal text-cell text-text-2" title={address}>
      {address || getTexts('users')('sealed')}
    </span>
  )
}

function formatHours({ startTime, endTime }: TeamMember): string {
  return `${startTime}–${endTime}`
}

function formatQueueNames({ queues }: TeamMember): string {
  return queues.map(({ name }) => name).join(', ')
}

/** Who may not come in, and who asks to. */
function Marks({ person }: { readonly person: TeamMember }) {
  const t = useTexts('users')
  if (isAsking(person)) return <Chip>{t('awaiting')}</Chip>
  return person.active ? null : <Chip>{t('inactive')}</Chip>
}

function isAsking({ awaitingApproval }: TeamMember) {
  return awaitingApproval
}

/** Lets somebody in who has signed up. */
async function approveUser({ id, name, address }: TeamMember, put: Rows<TeamMember>['put']) {
  put({ ...(await api('PUT /users/:id', { params: { id }, body: { active: true } })), address })
  toast.success(getTexts('users')('approved', { name }))
}

function Picture({ person: { id, name, profilePicUrl, status }, size }: PictureProps) {
  return <Avatar id={id} name={name} photo={profilePicUrl} presence={usePresence(id, status)} size={size} />
}

interface PictureProps {
  readonly person: TeamMember
  readonly size: number
}

function findConnectionName(connections: Connections, id: number | null) {
  const connection = connections.find(each => each.id === id)
  return connection && <bdi className="block truncate">{connection.name}</bdi>
}

const NONE: readonly never[] = []

/** The connections by name, as they are called now. */
function useConnections() {
  const { last, again } = useQuery('connections', signal => api('GET /whatsapp', { signal }))
  useEffect(() => live.on('whatsapp', again), [again])
  return last ?? NONE
}

/** A queue that has another name or is gone tells nothing of the people who have it. */
function useRenamedQueues(reload: () => void) {
  useEffect(() => live.on('queue', reload), [reload])
}
