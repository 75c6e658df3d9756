/**
 * Common verbs of ten languages besides English, with the act that each one means. Of scripts that
 * write words apart, whole words count; of Chinese, Japanese and Korean, any run of characters.
 */
import type { Act } from '../act.ts';

type Verbs = Partial<Readonly<Record<Act, string>>>;

/** In Latin letters, without accents, as names spell them. */
const LATIN: readonly Verbs[] = [
  // Spanish
  {
    read: `obtener consultar buscar listar leer mostrar verificar comprobar traer calcular contar descargar
      encontrar explorar describir analizar investigar evaluar extraer filtrar comparar resumir obtiene consulta busca lista lee muestra devuelve recupera verifica calcula
      analiza investiga evalua extrae filtra compara resume visita busqueda`,
    create:
      'crear agregar anadir insertar generar subir importar guardar registrar guarda registra crea agrega anade inserta genera',
    update: `actualizar modificar editar cambiar renombrar mover marcar configurar activar asignar actualiza
      modifica edita cambia asigna`,
    delete: `eliminar borrar suprimir quitar vaciar limpiar destruir reemplazar sobrescribir elimina borra quita
      vacia reemplaza`,
    cancel: 'cancelar detener terminar anular parar reiniciar cancela detiene termina anula',
    revoke: 'revocar desactivar bloquear suspender deshabilitar revoca desactiva bloquea suspende',
    spend:
      'pagar comprar cobrar transferir reservar contratar vender paga compra cobra transfiere vende',
    refund: 'reembolsar devolver reembolsa',
    share: 'compartir publicar exportar comparte exporta desplegar',
    deliver: 'enviar notificar invitar responder reenviar envia notifica invita',
    compute: 'ejecutar ejecuta lanzar',
  },
  // Portuguese
  {
    read: `obter buscar pesquisar ler exibir visualizar baixar encontrar retornar avaliar extrair busca retorna exibe
      pesquisa obtem avalia extrai`,
    create:
      'criar adicionar inserir gerar salvar cadastrar cria adiciona insere gera salva cadastra',
    update: 'atualizar alterar renomear configurar ativar atribuir atualiza altera',
    delete: 'excluir apagar deletar remover limpar substituir exclui apaga deleta substitui',
    cancel: 'encerrar parar interromper reiniciar encerra',
    revoke: 'revogar desativar revoga desativa bloqueia',
    spend: 'pagar comprar cobrar transferir reservar vender transfere',
    refund: 'estornar estorna reembolsa',
    share: 'compartilhar publicar compartilha implantar',
    deliver: 'notificar convidar encaminhar convida',
    compute: 'executar executa rodar',
  },
  // French
  {
    read: `obtenir lister chercher rechercher lire afficher consulter recuperer voir verifier calculer compter
      telecharger trouver obtient liste recherche affiche recupere renvoie retourne verifie calcule`,
    create:
      'creer ajouter inserer generer importer enregistrer cree ajoute insere genere enregistre',
    update: `modifier changer renommer deplacer mettre configurer activer assigner modifie deplace
      renomme`,
    delete: `supprimer effacer vider nettoyer remplacer detruire ecraser retirer supprime efface remplace
      ecrase retire`,
    cancel: 'annuler arreter terminer interrompre redemarrer annule arrete',
    revoke: 'revoquer desactiver bloquer suspendre revoque desactive bloque',
    spend: 'payer acheter facturer debiter virer vendre paie achete debite',
    refund: 'rembourser rembourse',
    share: 'partager publier exporter deployer partage publie deploie',
    deliver: 'envoyer notifier inviter repondre transferer envoie notifie invite repond',
    compute: 'executer lancer execute lance',
  },
  // German
  {
    read: `abrufen suchen lesen anzeigen auflisten holen pruefen zeigen finden berechnen zaehlen abfragen
      laden herunterladen ruft sucht liest zeigt listet holt prueft findet berechnet liefert`,
    create:
      'erstellen anlegen hinzufuegen einfuegen erzeugen hochladen speichern erstellt legt fuegt erzeugt speichert',
    update: `aktualisieren aendern bearbeiten umbenennen verschieben setzen zuweisen aktivieren aktualisiert
      aendert bearbeitet verschiebt setzt`,
    delete: `loeschen loschen loesche losche entferne vernichte entfernen leeren bereinigen ersetzen ueberschreiben vernichten loescht loscht
      entfernt leert ersetzt ueberschreibt`,
    cancel:
      'abbrechen stornieren stoppen beenden kuendigen neustarten storniert stoppt beendet kuendigt',
    revoke: 'widerrufen sperren deaktivieren widerruft sperrt deaktiviert',
    spend:
      'bezahle kaufe ueberweise bezahlen zahlen kaufen bestellen ueberweisen abbuchen buchen verkaufen bezahlt zahlt kauft bestellt ueberweist bucht',
    refund: 'erstatten erstattet',
    share:
      'teilen freigeben veroeffentlichen exportieren bereitstellen teilt veroeffentlicht exportiert',
    deliver:
      'sende senden schicken benachrichtigen einladen antworten weiterleiten sendet schickt benachrichtigt',
    compute: 'ausfuehren starten fuehrt startet',
  },
  // Italian
  {
    read: `ottenere ottieni cercare cerca elencare elenca leggere leggi mostrare mostra trovare trova verificare
      calcolare contare scaricare recuperare recupera restituisce visualizza`,
    create:
      'creare aggiungere aggiungi inserire inserisci generare caricare salvare salva crea aggiunge',
    update:
      'aggiornare aggiorna modificare cambiare rinominare spostare sposta impostare imposta attivare assegnare',
    delete:
      'eliminare cancellare cancella rimuovere rimuovi svuotare sostituire sovrascrivere rimuove sostituisce',
    cancel: 'annullare annulla fermare ferma terminare interrompere riavviare',
    revoke: 'revocare disattivare bloccare sospendere disattiva blocca',
    spend:
      'pagare acquistare comprare addebitare trasferire prenotare vendere acquista addebita trasferisce',
    refund: 'rimborsare rimborsa',
    share: 'condividere condividi pubblicare pubblica esportare esporta distribuire',
    deliver: 'inviare invia notificare invitare rispondere inoltrare spedire',
    compute: 'eseguire esegui avviare avvia',
  },
  // Turkish
  {
    read: 'getir listele ara oku goster bul sorgula goruntule hesapla indir kontrol getirir listeler gosterir sorgular',
    create: 'olustur ekle kaydet uret yukle olusturur ekler kaydeder',
    update: 'guncelle degistir duzenle tasi etkinlestir gunceller degistirir duzenler',
    delete: 'sil kaldir temizle bosalt siler kaldirir temizler',
    cancel: 'iptal durdur sonlandir durdurur',
    revoke: 'engelle askiya engeller',
    spend: 'odeme satinal havale rezerve',
    refund: 'iade',
    share: 'paylas yayinla paylasir yayinlar',
    deliver: 'gonder bildir davet yanitla gonderir',
    compute: 'calistir baslat calistirir',
  },
  // What asks in Indonesian, Dutch, Polish, Czech, Swedish and Vietnamese
  { delete: 'hapus menghapus', spend: 'bayar membayar beli', deliver: 'kirim', cancel: 'batalkan' },
  {
    delete: 'verwijder verwijderen wissen',
    spend: 'betaal betalen kopen',
    deliver: 'verstuur versturen verzenden',
    cancel: 'annuleer annuleren',
  },
  { delete: 'usun usuwac skasuj', spend: 'zaplac kup', deliver: 'wyslij', cancel: 'anuluj' },
  { delete: 'smazat smaz odstranit', spend: 'zaplatit koupit', deliver: 'odeslat' },
  { delete: 'radera', spend: 'betala kopa', deliver: 'skicka', cancel: 'avbryt' },
  { delete: 'xoa', spend: 'thanhtoan', cancel: 'huy' },
];

/** Matched anywhere in a run of letters; a longer one first. */
const OTHER: readonly Verbs[] = [
  // Chinese, in both kinds of characters
  {
    read: `查询 查詢 获取 獲取 搜索 搜尋 查看 列出 读取 讀取 检索 檢索 查找 浏览 瀏覽 显示 顯示 返回 统计 統計 计算 計算
      分析 检查 檢查 验证 驗證 下载 下載 转换 轉換 解析 规划 規劃 测量 測量 定位 翻译 翻譯 预览 預覽 识别 識別 推荐 推薦`,
    create: '创建 創建 新建 新增 添加 增加 生成 插入 上传 上傳 保存 导入 導入 注册 註冊',
    update:
      '更新 修改 编辑 編輯 变更 變更 设置 設置 设定 設定 移动 移動 重命名 启用 啟用 分配 标记 標記 点击 點擊 同步',
    delete:
      '删除 刪除 移除 清空 清除 清理 销毁 銷毀 卸载 卸載 覆盖 覆蓋 替换 替換 重置 抹除 丢弃 丟棄',
    cancel: '取消 停止 终止 終止 关闭 關閉 重启 重啟 中止 撤单 撤單',
    revoke: '撤销 撤銷 禁用 停用 冻结 凍結 封禁 吊销 吊銷 拉黑',
    spend:
      '支付 付款 购买 購買 下单 下單 转账 轉賬 充值 扣款 提现 提現 预订 預訂 交易 买入 卖出 缴费 打款',
    refund: '退款',
    share: '分享 共享 发布 發布 公开 公開 导出 導出 授权 授權 部署',
    deliver: '发送 發送 通知 邀请 邀請 回复 回覆 转发 轉發 推送 群发 提交 发帖',
    compute: '执行 執行 运行 運行 启动 啟動 触发 觸發 调用 調用',
  },
  // Japanese
  {
    read: '取得 検索 表示 一覧 閲覧 確認 参照 読み込 読込 読む 見る 調べ 計算 ダウンロード 変換 リスト',
    create: '作成 追加 登録 生成 アップロード 保存 挿入',
    update: '更新 変更 編集 設定 移動 有効化 割り当て',
    delete: '削除 消去 除去 破棄 上書き 置換 初期化 リセット クリア',
    cancel: 'キャンセル 取り消 取消 停止 終了 中止 再起動 解約',
    revoke: '無効化 失効 凍結 ブロック',
    spend: '支払 購入 注文 送金 決済 課金 予約 振込',
    refund: '返金',
    share: '共有 公開 エクスポート デプロイ',
    deliver: '送信 通知 招待 返信 転送 投稿',
    compute: '実行 起動 開始',
  },
  // Korean
  {
    read: '조회 검색 가져오 목록 읽기 보기 확인 표시 계산 다운로드 찾기 분석',
    create: '생성 추가 등록 만들 업로드 저장 삽입',
    update: '수정 변경 업데이트 편집 설정 이동 활성화',
    delete: '삭제 제거 지우 비우 초기화 덮어쓰 교체',
    cancel: '취소 중지 종료 정지 재시작 해지',
    revoke: '비활성화 차단 철회 폐기',
    spend: '결제 구매 주문 송금 이체 예약 지불 출금',
    refund: '환불',
    share: '공유 게시 공개 내보내 배포',
    deliver: '전송 보내 알림 초대 답장 발송',
    compute: '실행 시작 호출',
  },
  // Russian
  {
    read: `получить получает получение найти поиск ищет показать показывает список прочитать читает просмотр посмотреть
      проверить проверяет возвращает вычислить скачать запросить`,
    create:
      'создать создает создание добавить добавляет вставить сохранить загрузить сгенерировать',
    update:
      'обновить обновляет изменить изменяет редактировать переименовать переместить установить назначить включить',
    delete:
      'удалить удаляет удаление стереть очистить очищает заменить заменяет перезаписать сбросить уничтожить',
    cancel: 'отменить отменяет остановить останавливает завершить прервать перезапустить',
    revoke: 'отозвать заблокировать блокирует отключить деактивировать',
    spend:
      'оплатить оплачивает купить покупает заказать перевести списать забронировать продать заплатить',
    refund: 'возместить',
    share: 'поделиться опубликовать публикует экспортировать развернуть',
    deliver: 'отправить отправляет уведомить пригласить ответить переслать',
    compute: 'выполнить выполняет запустить запускает',
  },
];

const WORDS: ReadonlyMap<string, Act> = new Map(
  LATIN.flatMap(toEntries).map(([word, act]) => [fold(word), act]),
);
const RUNS: readonly (readonly [string, Act])[] = OTHER.flatMap(toEntries).toSorted(
  ([a], [b]) => b.length - a.length,
);

function toEntries(verbs: Verbs): readonly (readonly [string, Act])[] {
  return Object.entries(verbs).flatMap(([act, words]) =>
    // the keys of a record of acts
    words.split(/\s+/).map((word) => [word, act as Act] as const),
  );
}

/** German has two spellings for its umlauts, one of which loses an `e` with the accent. */
function fold(word: string): string {
  return word.replaceAll(/([aou])e/g, '$1');
}

export interface ForeignVerb {
  readonly word: string;
  readonly act: Act;
}

/** Of a word in plain Latin letters. */
export function foreignVerbOf(word: string): ForeignVerb | undefined {
  const act = WORDS.get(fold(word));
  return act === undefined ? undefined : { word, act };
}

/** Those in a text of another script, each part of it counted once. */
export function foreignVerbsIn(text: string): readonly ForeignVerb[] {
  let rest = text.normalize('NFKC').toLowerCase();
  return RUNS.flatMap(([word, act]): ForeignVerb[] => {
    if (!rest.includes(word)) return [];
    rest = rest.replaceAll(word, ' ');
    return [{ word, act }];
  });
}
