"""Node agents for FPGAs and network cards, and a witness beside NVIDIA's driver; it writes the same bytes as main.ts."""
from cdk8s import ApiObject, Chart, JsonPatch
from cdk8s_dra import (
    AgentConfig,
    AgentDevices,
    CapacityRequest,
    DeviceConstraint,
    DevicePlatform,
    DeviceRequest,
    DriverProfile,
    FpgaImage,
    FpgaImages,
    FpgaKind,
    FpgaLoader,
    FpgaProgramming,
    HardwareMatch,
    KubernetesTarget,
    NicOffer,
    NicScrub,
    NodeToleration,
    PlatformApp,
    PodDevices,
    RateLimiter,
    RdmaUse,
    ResourceClaimTemplate,
    SharedAmount,
    StandardAttribute,
)

# 1.36 is the first version in which shares of a device are on by default.
app = PlatformApp(kubernetes=KubernetesTarget.of("1.36"))
platform = DevicePlatform(app, "platform")

image = "registry.example.com/cdk8s-dra-node-agent:0.0.0"  # npm run image
fpga = DriverProfile.agent_fpga()
nic = DriverProfile.agent_nic()
nvidia = DriverProfile.nvidia_gpu()

# FPGA boards that boot with the platform's shell. Tenants name an image of this list; between two of them the blank one is loaded.
platform.add_node_agent(
    "fpga-agent",
    driver=fpga,
    image=image,
    pool="crypto",
    create_namespace=True,
    tolerations=[NodeToleration(key="example.com/fpga", effect="NoSchedule")],
    devices=AgentDevices.fpga(
        kinds=[FpgaKind.MANAGER],
        images=FpgaImages(
            folder="/lib/firmware/dra",
            allowed=[
                FpgaImage(
                    id="aes-gcm",
                    file="aes-gcm-2.1.bin",
                    sha256="9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                    shells=["Xilinx ZynqMP FPGA Manager"],
                ),
                FpgaImage(
                    id="blank",
                    file="blank.bin",
                    sha256="60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752",
                    shells=["*"],
                    safe=True,
                ),
            ],
        ),
        programming={"manager": FpgaProgramming(by=FpgaLoader.MANAGER, flags="0")},
        manager_nodes=["/dev/uio0"],
    ),
)

# Network cards: of the storage ports claims take bandwidth, of the others each virtual function is a device.
platform.add_node_agent(
    "nic-agent",
    driver=nic,
    image=image,
    pool="fast-net",
    pod_monitor=True,
    devices=AgentDevices.nic(
        offers=[
            NicOffer.shared_bandwidth(
                match=HardwareMatch(pci_device="15b3:1021", interface_name="storage*"),
                rate=RateLimiter.HAND_OVER,  # the CNI plugin sets the limit
                bandwidth=SharedAmount(value="400G", default_amount="10G", min="1G", step="1G"),
                scrub=NicScrub.FUNCTION_RESET,
            ),
            NicOffer.virtual_functions(
                match=HardwareMatch(pci_device="15b3:1021"), rdma=RdmaUse.REQUIRED, scrub=NicScrub.FUNCTION_RESET
            ),
        ]
    ),
)

# GPUs belong to NVIDIA's driver, installed by its own chart. The witness reports who holds them, claims and device plugin alike.
platform.add_node_agent(
    "gpu-witness",
    driver=nvidia,
    image=image,
    pool="h100",
    tolerations=[NodeToleration(key="nvidia.com/gpu", effect="NoSchedule")],
)

aes = platform.add_class(
    "fpga-aes-gcm",
    driver=fpga,
    selectors=[fpga.bool_attribute("image_aes_gcm").is_true()],
    config=[AgentConfig.fpga(image="aes-gcm")],
)
storage = platform.add_class("nic-storage", driver=nic, selectors=[nic.device_type.one_of("sharedPort")])
rdma = platform.add_class("nic-rdma", driver=nic, selectors=[nic.device_type.one_of("vf"), nic.rdma.is_true()])
gpu = platform.add_class("gpu", driver=nvidia, selectors=[nvidia.device_type.one_of("gpu")])


def job(team: Chart, name: str) -> ApiObject:
    made = ApiObject(team, name, api_version="batch/v1", kind="Job", metadata={"name": name})
    # In Python an ApiObject takes the rest of its manifest as a patch.
    container = {"image": f"registry.example.com/{team.namespace}/{name}:1", "name": "main"}
    made.add_json_patch(JsonPatch.add("/spec", {"template": {"spec": {"containers": [container], "restartPolicy": "Never"}}}))
    return made


# Team payments seals records on an FPGA that holds its image.
payments = platform.team_chart("payments")
sealer = ResourceClaimTemplate(payments, "sealer", requests=[DeviceRequest.exactly("fpga", device_class=aes)])
PodDevices.of(job(payments, "seal")).add_claim("fpga", sealer, containers=["main"])

# Team vision reads its data over 40 Gbit/s of a storage port, and trains with a GPU of NVIDIA's driver and a function of ours on one PCIe root.
vision = platform.team_chart("vision")
fast = ResourceClaimTemplate(
    vision,
    "storage-40g",
    requests=[DeviceRequest.exactly("port", device_class=storage, capacity=[CapacityRequest.of("bandwidth", "40G")])],
)
PodDevices.of(job(vision, "ingest")).add_claim("storage", fast, containers=["main"])

pair = ResourceClaimTemplate(
    vision,
    "gpu-with-nic",
    requests=[DeviceRequest.exactly("gpu", device_class=gpu), DeviceRequest.exactly("nic", device_class=rdma)],
    constraints=[DeviceConstraint.match_attribute(StandardAttribute.PCIE_ROOT, "gpu", "nic")],
)
PodDevices.of(job(vision, "train")).add_claim("pair", pair, containers=["main"])

app.synth()
