/** A dialog and a page that few visits need, loaded when first shown. */

import { lazyComponents } from "../common/lazyComponent";

const lazyCreate = lazyComponents(() => import("./create/CreateTableDialog"));
const lazySeat = lazyComponents(() => import("../table/SeatTransferPage"));

export const CreateTableDialog = lazyCreate(({ CreateTableDialog: Dialog }) => Dialog, null);
export const SeatTransferPage = lazySeat(({ SeatTransferPage: Page }) => Page, null);
