import { useTexts } from '@balcao/ui/i18n'
import { Badge } from '@balcao/ui/parts'
import { useSession } from '@balcao/ui/session'

/** The number beside a menu entry: brass for who waits, '!' for connections, grey for totals. */
export function MenuBadge({ name, corner }: { readonly name: string | undefined; readonly corner?: boolean }) {
  const t = useTexts('shell')
  const count = useSession().badges[name ?? ''] ?? 0
  if (!name || count === 0) return null
  if (count === '!') return <Badge count="!" kind="alert" label={t('menu.attention')} corner={corner} />
  const label = t('menu.waiting', { count })
  return <Badge count={count} kind={name === 'bot' ? 'total' : 'waiting'} label={label} corner={corner} />
}
