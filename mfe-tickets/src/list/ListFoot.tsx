// What stands under the last row: more comes, more did not come, or that was all.
import { describeError, useTexts } from '@balcao/ui/i18n'
import { Button, defineLatePart } from '@balcao/ui/parts'
import type { ListView } from '@balcao/ui/rows'

const ListEnd = defineLatePart(() => import('./ListEnd.tsx'), 'nowhere')

interface ListFootProps {
  readonly list: Pick<ListView<unknown>, 'more' | 'nextCursor' | 'error'>
  readonly onMore: () => void
}

export function ListFoot({ list, onMore }: ListFootProps) {
  const t = useTexts('tickets')
  const ui = useTexts('ui')
  if (list.more === 'loading')
    return (
      <p className="t-foot" role="status">
        {t('list.more')}
      </p>
    )
  if (list.more === 'failed')
    return (
      <div className="t-foot" role="status">
        <p>{describeError(list.error)}</p>
        <Button kind="plain" onClick={onMore}>
          {ui('retry')}
        </Button>
      </div>
    )
  return <p className="t-foot">{!list.nextCursor && <ListEnd />}</p>
}
