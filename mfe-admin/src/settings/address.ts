// Where the page of settings stands: `/Settings/viewing` is a group, `/Settings#allowAgendador` the group of that setting, with its row marked.
import { useLocation } from '@balcao/ui/router'
import type { SettingGroup } from './items.ts'

const PAGE = '/Settings'

export function groupPath(id: string): string {
  return `${PAGE}/${id}`
}

/** The group that the address names, else the first; and the row that it points at. */
export function useAddressedGroup(groups: readonly SettingGroup[]) {
  const { pathname, hash } = useLocation()
  const item = hash.slice(1)
  const name = pathname.slice(PAGE.length + 1)
  const group =
    groups.find(({ id }) => id === name) ?? groups.find(({ items }) => items.some(({ id }) => id === item)) ?? groups[0]
  return { group, item: group?.items.some(({ id }) => id === item) ? item : null }
}
