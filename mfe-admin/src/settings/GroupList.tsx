import { useTexts } from '@balcao/ui/i18n'
import { joinClasses, Select } from '@balcao/ui/parts'
import { Link, useNavigate } from '@balcao/ui/router'
import { groupPath } from './address.ts'
import type { SettingGroup } from './items.ts'

interface GroupListProps {
  /** With the rows that are found. */
  readonly groups: readonly SettingGroup[]
  /** The one that is shown; null while a search shows of all what it finds. */
  readonly current: string | null
  /** Those that hold something not saved. */
  readonly unsaved: ReadonlySet<string>
  /** To what a search found of a group. */
  readonly onFound: (id: string) => void
}

/** The groups to go to: a list at the side, on a phone one field above the page. */
export function GroupList({ groups, current, unsaved, onFound }: GroupListProps) {
  const t = useTexts('settings')
  const navigate = useNavigate()
  const options = groups.map(({ id }) => ({
    value: id,
    label: t(`group.${id}`),
    ...(unsaved.has(id) ? { note: t('unsaved') } : {}),
  }))
  return (
    <>
      <nav aria-label={t('groups')} className="mt-4 grid gap-1 max-md:hidden">
        {groups.map(({ id, items }) =>
          current === null ? (
            <button
              key={id}
              type="button"
              disabled={items.length === 0}
              onClick={() => onFound(id)}
              className={joinClasses(ENTRY, 'w-full', items.length > 0 ? 'text-text-2 hover:bg-hover' : 'text-muted')}
            >
              {t(`group.${id}`)}
              {items.length > 0 && <span className={NOTE}>{items.length}</span>}
            </button>
          ) : (
            <Link
              key={id}
              to={groupPath(id)}
              aria-current={id === current ? 'page' : undefined}
              className={joinClasses(
                ENTRY,
                id === current ? 'bg-primary-tint font-semibold text-primary-text' : 'text-text-2 hover:bg-hover',
              )}
            >
              {t(`group.${id}`)}
              {unsaved.has(id) && <span className={NOTE}>{t('unsaved')}</span>}
            </Link>
          ),
        )}
      </nav>
      {current !== null && (
        <Select
          className="mt-3 w-full bg-surface md:hidden"
          label={t('groups')}
          options={options}
          filter={false}
          value={current}
          onChange={id => id !== null && void navigate(groupPath(id))}
        />
      )}
    </>
  )
}

const ENTRY = 'flex h-9 flex-none items-center gap-2 rounded-item px-3 text-left text-body no-underline'
const NOTE = 'ml-auto text-small font-normal tabular-nums'
