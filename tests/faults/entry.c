/* SPDX-License-Identifier: BSD-2-Clause */
/* The entry of the fault build, and the firmware's tables as it shows them to the program. */
#include "tests/faults/faults.h"

EFI_STATUS EFIAPI efi_entry(EFI_HANDLE image, EFI_SYSTEM_TABLE *system_table);
EFI_STATUS EFIAPI faults_entry(EFI_HANDLE image, EFI_SYSTEM_TABLE *system_table);

static EFI_SYSTEM_TABLE st;
static EFI_BOOT_SERVICES bs;
static EFI_RUNTIME_SERVICES rt;
static SIMPLE_TEXT_OUTPUT_INTERFACE con_out;
static SIMPLE_INPUT_INTERFACE con_in;

/* ---- boot services --------------------------------------------------------- */

static EFI_TPL EFIAPI raise_tpl(EFI_TPL tpl)
{
	fault_holdings.tpl++;
	return faults_st->BootServices->RaiseTPL(tpl);
}

static void EFIAPI restore_tpl(EFI_TPL tpl)
{
	faults_st->BootServices->RestoreTPL(tpl);
	fault_holdings.tpl--;
}

static EFI_STATUS EFIAPI allocate_pages(EFI_ALLOCATE_TYPE type, EFI_MEMORY_TYPE memory, UINTN nr,
                                        EFI_PHYSICAL_ADDRESS *at)
{
	EFI_STATUS status;

	if (FAULT(AllocatePages))
		return EFI_OUT_OF_RESOURCES;
	status = faults_st->BootServices->AllocatePages(type, memory, nr, at);
	if (status == EFI_SUCCESS)
		fault_holdings.pages += (long)nr;
	return status;
}

static EFI_STATUS EFIAPI free_pages(EFI_PHYSICAL_ADDRESS at, UINTN nr)
{
	EFI_STATUS status;

	if (FAULT(FreePages))
		return EFI_INVALID_PARAMETER;
	status = faults_st->BootServices->FreePages(at, nr);
	if (status == EFI_SUCCESS)
		fault_holdings.pages -= (long)nr;
	return status;
}

static EFI_STATUS EFIAPI get_memory_map(UINTN *size, EFI_MEMORY_DESCRIPTOR *map, UINTN *key,
                                        UINTN *stride, UINT32 *version)
{
	if (FAULT(GetMemoryMap))
		return EFI_DEVICE_ERROR;
	return faults_st->BootServices->GetMemoryMap(size, map, key, stride, version);
}

static EFI_STATUS EFIAPI free_pool(void *pool)
{
	if (FAULT(FreePool))
		return EFI_INVALID_PARAMETER;
	fault_holdings.pools--;
	return faults_st->BootServices->FreePool(pool);
}

static EFI_STATUS EFIAPI handle_protocol(EFI_HANDLE handle, EFI_GUID *guid, void **interface)
{
	static const EFI_GUID simple_fs = EFI_SIMPLE_FILE_SYSTEM_PROTOCOL_GUID;
	EFI_STATUS status;

	if (FAULT(HandleProtocol))
		return EFI_INVALID_PARAMETER;
	status = faults_st->BootServices->HandleProtocol(handle, guid, interface);
	if (status == EFI_SUCCESS && efi_guid_is(guid, &simple_fs))
		*interface = faults_file_system(*interface);
	return status;
}

static EFI_STATUS EFIAPI locate_handle_buffer(EFI_LOCATE_SEARCH_TYPE type, EFI_GUID *guid,
                                              void *key, UINTN *nr, EFI_HANDLE **handles)
{
	EFI_STATUS status;

	if (FAULT(LocateHandleBuffer))
		return EFI_OUT_OF_RESOURCES;
	status = faults_st->BootServices->LocateHandleBuffer(type, guid, key, nr, handles);
	if (status == EFI_SUCCESS)
		fault_holdings.pools++;
	return status;
}

static EFI_STATUS EFIAPI connect_controller(EFI_HANDLE controller, EFI_HANDLE *driver,
                                            EFI_DEVICE_PATH *path, BOOLEAN recursive)
{
	if (FAULT(ConnectController))
		return EFI_DEVICE_ERROR;
	return faults_st->BootServices->ConnectController(controller, driver, path, recursive);
}

static EFI_STATUS EFIAPI set_watchdog_timer(UINTN seconds, UINT64 code, UINTN size, CHAR16 *text)
{
	if (FAULT(SetWatchdogTimer))
		return EFI_DEVICE_ERROR;
	return faults_st->BootServices->SetWatchdogTimer(seconds, code, size, text);
}

static EFI_STATUS EFIAPI create_event(UINT32 type, EFI_TPL tpl, EFI_EVENT_NOTIFY notify,
                                      void *context, EFI_EVENT *event)
{
	if (FAULT(CreateEvent))
		return EFI_OUT_OF_RESOURCES;
	return faults_st->BootServices->CreateEvent(type, tpl, notify, context, event);
}

static EFI_STATUS EFIAPI set_timer(EFI_EVENT event, EFI_TIMER_DELAY type, UINT64 time)
{
	if (FAULT(SetTimer))
		return EFI_INVALID_PARAMETER;
	return faults_st->BootServices->SetTimer(event, type, time);
}

static EFI_STATUS EFIAPI check_event(EFI_EVENT event)
{
	if (FAULT(CheckEvent))
		return EFI_INVALID_PARAMETER;
	return faults_st->BootServices->CheckEvent(event);
}

static EFI_STATUS EFIAPI close_event(EFI_EVENT event)
{
	EFI_STATUS status = faults_st->BootServices->CloseEvent(event);

	return FAULT(CloseEvent) ? EFI_INVALID_PARAMETER : status;
}

static EFI_STATUS EFIAPI stall(UINTN us)
{
	if (FAULT(Stall))
		return EFI_DEVICE_ERROR;
	return faults_st->BootServices->Stall(us);
}

/* Where the firmware would go on the machine is switched off: the verdict came before. */
static EFI_STATUS EFIAPI leave(EFI_HANDLE image, EFI_STATUS status, UINTN size, CHAR16 *data)
{
	(void)image;
	(void)size;
	(void)data;
	if (FAULT(Exit))
		return EFI_INVALID_PARAMETER;
	faults_tell();
	faults_say("Exit with 0x%llx", (unsigned long long)status);
	faults_st->RuntimeServices->ResetSystem(EfiResetShutdown, EFI_SUCCESS, 0, NULL);
	return EFI_SUCCESS;
}

/* ---- runtime services and consoles ----------------------------------------- */

static EFI_STATUS EFIAPI get_variable(CHAR16 *name, EFI_GUID *vendor, UINT32 *attributes,
                                      UINTN *size, void *data)
{
	if (FAULT(GetVariable))
		return EFI_DEVICE_ERROR;
	return faults_st->RuntimeServices->GetVariable(name, vendor, attributes, size, data);
}

/* It cannot answer: to fail is to come back. */
static EFI_STATUS EFIAPI reset_system(EFI_RESET_TYPE type, EFI_STATUS status, UINTN size,
                                      CHAR16 *data)
{
	(void)size;
	(void)data;
	if (FAULT(ResetSystem))
		return EFI_DEVICE_ERROR;
	faults_tell();
	faults_say("ResetSystem %d with 0x%llx", (int)type, (unsigned long long)status);
	faults_st->RuntimeServices->ResetSystem(EfiResetShutdown, EFI_SUCCESS, 0, NULL);
	return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI output_string(SIMPLE_TEXT_OUTPUT_INTERFACE *out, CHAR16 *text)
{
	(void)out;
	if (FAULT(OutputString))
		return EFI_DEVICE_ERROR;
	return faults_st->ConOut->OutputString(faults_st->ConOut, text);
}

static EFI_STATUS EFIAPI reset_input(SIMPLE_INPUT_INTERFACE *in, BOOLEAN extended)
{
	(void)in;
	if (FAULT(Reset))
		return EFI_DEVICE_ERROR;
	return faults_st->ConIn->Reset(faults_st->ConIn, extended);
}

static EFI_STATUS EFIAPI read_key_stroke(SIMPLE_INPUT_INTERFACE *in, EFI_INPUT_KEY *key)
{
	(void)in;
	if (FAULT(ReadKeyStroke))
		return EFI_DEVICE_ERROR;
	return faults_st->ConIn->ReadKeyStroke(faults_st->ConIn, key);
}

/* ---- entry ----------------------------------------------------------------- */

EFI_STATUS EFIAPI faults_entry(EFI_HANDLE image, EFI_SYSTEM_TABLE *system_table)
{
	EFI_STATUS status;

	faults_st = efi_st = system_table; /* efi_st: for the search of SMBIOS */
	st = *system_table;
	bs = *system_table->BootServices;
	rt = *system_table->RuntimeServices;
	con_out = *system_table->ConOut;
	con_in = *system_table->ConIn;
	st.BootServices = &bs;
	st.RuntimeServices = &rt;
	st.ConOut = &con_out;
	st.ConIn = &con_in;
	bs.RaiseTPL = raise_tpl;
	bs.RestoreTPL = restore_tpl;
	bs.AllocatePages = allocate_pages;
	bs.FreePages = free_pages;
	bs.GetMemoryMap = get_memory_map;
	bs.FreePool = free_pool;
	bs.HandleProtocol = handle_protocol;
	bs.LocateHandleBuffer = locate_handle_buffer;
	bs.ConnectController = connect_controller;
	bs.SetWatchdogTimer = set_watchdog_timer;
	bs.CreateEvent = create_event;
	bs.SetTimer = set_timer;
	bs.CheckEvent = check_event;
	bs.CloseEvent = close_event;
	bs.Stall = stall;
	bs.Exit = leave;
	rt.GetVariable = get_variable;
	rt.ResetSystem = reset_system;
	con_out.OutputString = output_string;
	con_in.Reset = reset_input;
	con_in.ReadKeyStroke = read_key_stroke;
	faults_choose(image);
	faults_install_labels();
	if (faults_no_console)
		st.ConOut = NULL;
	status = efi_entry(image, &st);
	faults_tell();
	faults_say("entry returned 0x%llx", (unsigned long long)status);
	system_table->RuntimeServices->ResetSystem(EfiResetShutdown, EFI_SUCCESS, 0, NULL);
	return status;
}
