import { createRemoteApp } from '@balcao/ui/screens'

/**
 * The remote of the desk: tickets, internal chats, conversation, composer. It has one screen, which comes with it: nobody asks for this
 * remote without wanting it.
 */
export default createRemoteApp({ '/tickets': () => import(/* webpackMode: "eager" */ './desk/Desk.tsx') })
