// The list of internal chats with all its states, and the way to a new one.
import './texts.ts'
import { LIMITS } from '@balcao/contract/kit/limits'
import { useDebounced } from '@balcao/ui/ask'
import { describeError, useTexts } from '@balcao/ui/i18n'
import { Button, EmptyState, ErrorState, RowSkeletons, Switch, useSkeleton } from '@balcao/ui/parts'
import { useSetting, useUser } from '@balcao/ui/session'
import { MessageSquarePlus, UsersRound } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { ListFoot } from '../list/ListFoot.tsx'
import { useRowHeight } from '../list/row-height.ts'
import { VirtualList } from '../list/VirtualList.tsx'
import { ChatRow } from './ChatRow.tsx'
import { getChatStores } from './chat-stores.ts'
import { NewChatDialog } from './NewChatDialog.tsx'
import { useChatList, useOpenChat } from './use-chats.ts'

interface ChatPaneProps {
  readonly chatId: number | null
  /** What stands in the search field of the pane. */
  readonly search: string
}

export default function ChatPane({ chatId, search }: ChatPaneProps) {
  const t = useTexts('tickets')
  const user = useUser()
  const mayShowAll = useSetting('adminChatInterno') && user.profile === 'admin'
  const [all, setAll] = useState(false)
  const [adding, setAdding] = useState(false)
  const showAll = all && mayShowAll
  const settled = useDebounced(search.trim(), LIMITS.searchDebounceMs)
  const open = useOpenChat()

  useEffect(() => {
    void getChatStores().chats.show({ search: settled, showAll })
  }, [settled, showAll])

  return (
    <>
      <div className="t-filters">
        <Button kind="plain" icon={MessageSquarePlus} onClick={() => setAdding(true)}>
          {t('chat.new')}
        </Button>
        {mayShowAll && <Switch label={t('showAll')} checked={all} onChange={setAll} />}
      </div>
      <List chatId={chatId} onOpen={open} search={settled} showAll={showAll} onNew={() => setAdding(true)} />
      {adding && (
        <NewChatDialog
          onClose={() => setAdding(false)}
          onOpened={id => {
            setAdding(false)
            open(id)
          }}
        />
      )}
    </>
  )
}

interface ListProps {
  readonly chatId: number | null
  readonly search: string
  readonly showAll: boolean
  readonly onOpen: (id: number) => void
  readonly onNew: () => void
}

function List({ chatId, search, showAll, onOpen, onNew }: ListProps) {
  const t = useTexts('tickets')
  const list = useChatList()
  const rowHeight = useRowHeight()
  const skeleton = useSkeleton(list.status === 'loading')
  const row = useCallback((id: number) => <ChatRow id={id} />, [])
  const more = useCallback(() => void getChatStores().chats.more(), [])
  if (list.status === 'failed')
    return (
      <ErrorState
        title={t('list.failed')}
        text={describeError(list.error)}
        retryIn={8}
        onRetry={() => void getChatStores().chats.refetch()}
      />
    )
  if (skeleton) return <RowSkeletons />
  if (list.status === 'loading') return null
  if (list.ids.length === 0)
    return (
      <EmptyState
        icon={UsersRound}
        title={t(search === '' ? 'chat.empty.title' : 'chat.empty.noneTitle')}
        text={t(search === '' ? 'chat.empty.text' : 'chat.empty.noneText')}
      >
        <Button icon={MessageSquarePlus} onClick={onNew}>
          {t('chat.new')}
        </Button>
      </EmptyState>
    )
  return (
    <VirtualList
      ids={list.ids}
      rowHeight={rowHeight}
      selectedId={chatId}
      label={t('chat.list')}
      renderRow={row}
      onOpen={onOpen}
      onNearEnd={more}
      resetKey={`chats${showAll}${search}`}
      footer={<ListFoot list={list} onMore={more} />}
    />
  )
}
